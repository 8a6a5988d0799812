# Tests of the house and of the built command: scripts/check_* and tests/command/test_*.py.
find_program(OSSA_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(OSSA_PYTHON NAMES python3)

if(OSSA_PYTHON)
  add_test(NAME check_layers COMMAND ${OSSA_PYTHON} ${CMAKE_SOURCE_DIR}/scripts/check_layers ${CMAKE_SOURCE_DIR})
  file(GLOB COMMAND_TESTS CONFIGURE_DEPENDS tests/command/test_*.py)
  foreach(script ${COMMAND_TESTS})
    get_filename_component(name ${script} NAME_WE)
    string(REPLACE "test_" "command_" name ${name})
    add_test(NAME ${name} COMMAND ${OSSA_PYTHON} ${script} $<TARGET_FILE:ossa>)
  endforeach()
else()
  message(STATUS "no python3: the tests of the command and of the layers are left out")
endif()

add_test(NAME check_headers COMMAND ${CMAKE_SOURCE_DIR}/scripts/check_headers)
# instrumented builds hold symbols of their own and cannot be linked without their runtime
if(NOT OSSA_SANITIZE)
  add_test(NAME check_symbols COMMAND ${CMAKE_SOURCE_DIR}/scripts/check_symbols ${CMAKE_BINARY_DIR})
  add_test(NAME check_install COMMAND ${CMAKE_SOURCE_DIR}/scripts/check_install ${CMAKE_BINARY_DIR})
endif()
