# Compressed glTF: Draco and meshoptimizer, each where its library is. What is missing is refused by name, with what to do.

if(OSSA_DRACO)
  pkg_check_modules(DRACO IMPORTED_TARGET draco)
  include(CheckLanguage)
  check_language(CXX) # the library's interface is C++
  if(NOT DRACO_FOUND OR NOT CMAKE_CXX_COMPILER)
    message(STATUS "draco or a C++ compiler is not there: glTF compressed with it cannot be read (scripts/setup gltf installs it)")
    set(OSSA_DRACO OFF)
  endif()
endif()
if(OSSA_MESHOPT)
  find_path(MESHOPT_INCLUDE meshoptimizer.h)
  find_library(MESHOPT_LIBRARY meshoptimizer)
  if(NOT MESHOPT_INCLUDE OR NOT MESHOPT_LIBRARY)
    message(STATUS "meshoptimizer is not there: glTF compressed with it cannot be read (scripts/setup gltf installs it)")
    set(OSSA_MESHOPT OFF)
  endif()
endif()

if(OSSA_DRACO)
  enable_language(CXX)
  # apart from the rest, whose flags are those of C
  add_library(ossa_draco OBJECT src/import/gltf/draco_decoder.cpp)
  set_target_properties(ossa_draco PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_include_directories(ossa_draco PRIVATE src)
  target_compile_options(ossa_draco PRIVATE -Wall -Wextra -Wshadow -ffp-contract=off $<$<CONFIG:Release>:-O3>)
  if(OSSA_SANITIZE)
    target_compile_options(ossa_draco PRIVATE -fsanitize=${OSSA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  endif()
  target_link_libraries(ossa_draco PRIVATE PkgConfig::DRACO)
endif()

# links `target`, which holds the objects that decode, with what these call
function(ossa_link_compression target)
  if(OSSA_DRACO)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:ossa_draco>)
    target_link_libraries(${target} PRIVATE PkgConfig::DRACO stdc++)
  endif()
  if(OSSA_MESHOPT)
    target_link_libraries(${target} PRIVATE ${MESHOPT_LIBRARY})
  endif()
endfunction()
