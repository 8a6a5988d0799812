# The studio's server: C over libmicrohttpd and the public API. Without libmicrohttpd `ossa studio` says what to install.
if(OSSA_STUDIO)
  pkg_check_modules(MICROHTTPD IMPORTED_TARGET libmicrohttpd)
  if(NOT MICROHTTPD_FOUND)
    message(STATUS "libmicrohttpd is not there: ossa is built without the studio (scripts/setup studio installs it)")
    set(OSSA_STUDIO OFF)
  endif()
endif()

# what warnings mean and what to do: the table of docs/warnings.md as C
function(ossa_write_warning_words source target)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  file(READ ${source} words)
  string(REGEX REPLACE "^.*\n[|]---[|]---[|]---[|]---[|]\n" "\n" words "${words}")
  string(REGEX REPLACE "\n\n.*$" "\n" words "${words}")
  string(REPLACE "\\" "\\\\" words "${words}")
  string(REPLACE "\"" "\\\"" words "${words}")
  string(REGEX REPLACE "\n[|] `([a-z0-9-]+)` [|][^|]*[|] ([^|\n]+) [|] ([^|\n]+) [|]" "\n\t{\"\\1\", \"\\2\", \"\\3\"}," words "${words}")
  string(REPLACE "`" "" words "${words}")
  file(CONFIGURE OUTPUT ${target} CONTENT "${words}" @ONLY)
endfunction()

# everything but the socket: the command adds http.c, a fuzz target does without
file(GLOB STUDIO_SOURCES CONFIGURE_DEPENDS studio/server/*.c)
list(FILTER STUDIO_SOURCES EXCLUDE REGEX "/http(_library)?[.]c$")
ossa_write_warning_words(${CMAKE_SOURCE_DIR}/docs/warnings.md ${CMAKE_BINARY_DIR}/generated/warning_words.inc)
add_library(ossa_studio STATIC EXCLUDE_FROM_ALL ${STUDIO_SOURCES})
# realpath is beyond POSIX's base
target_include_directories(ossa_studio PUBLIC studio/server PRIVATE ${CMAKE_BINARY_DIR}/generated)
target_compile_definitions(ossa_studio PRIVATE _XOPEN_SOURCE=700)
target_link_libraries(ossa_studio PRIVATE ossa_flags PUBLIC ossa_static PkgConfig::JANSSON Threads::Threads m)

if(OSSA_STUDIO)
  target_sources(ossa_command PRIVATE studio/server/http.c studio/server/http_library.c)
  target_compile_definitions(ossa_command PRIVATE OSSA_STUDIO)
  target_include_directories(ossa_command PRIVATE studio/server)
  # loaded by name when the studio starts (studio/server/http_library.h)
  ossa_name_of_library(MICROHTTPD OSSA_MICROHTTPD_LIBRARY)
  set_source_files_properties(studio/server/http.c studio/server/http_library.c PROPERTIES COMPILE_DEFINITIONS
    OSSA_MICROHTTPD_LIBRARY="${OSSA_MICROHTTPD_LIBRARY}")
  target_include_directories(ossa_command SYSTEM PRIVATE ${MICROHTTPD_INCLUDE_DIRS})
  target_link_libraries(ossa_command PUBLIC ossa_studio ${CMAKE_DL_LIBS})
endif()
