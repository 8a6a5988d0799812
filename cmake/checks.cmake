# Tests of the house and of the built command: scripts/check_* and tests/command/test_*.py.
find_program(OSSA_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(OSSA_PYTHON NAMES python3)

if(OSSA_PYTHON)
  add_test(NAME check_warnings COMMAND ${OSSA_PYTHON} ${CMAKE_SOURCE_DIR}/scripts/check_warnings)
  add_test(NAME check_words COMMAND ${OSSA_PYTHON} ${CMAKE_SOURCE_DIR}/scripts/check_words ${CMAKE_SOURCE_DIR})
  add_test(NAME check_sizes COMMAND ${OSSA_PYTHON} ${CMAKE_SOURCE_DIR}/scripts/check_sizes)
  add_test(NAME check_layers COMMAND ${OSSA_PYTHON} ${CMAKE_SOURCE_DIR}/scripts/check_layers ${CMAKE_SOURCE_DIR})
  file(GLOB COMMAND_TESTS CONFIGURE_DEPENDS tests/command/test_*.py)
  foreach(script ${COMMAND_TESTS})
    get_filename_component(name ${script} NAME_WE)
    string(REPLACE "test_" "command_" name ${name})
    add_test(NAME ${name} COMMAND ${OSSA_PYTHON} ${script} $<TARGET_FILE:ossa>)
  endforeach()
  file(GLOB STUDIO_TESTS CONFIGURE_DEPENDS tests/studio/test_*.py)
  foreach(script ${STUDIO_TESTS})
    get_filename_component(name ${script} NAME_WE)
    string(REPLACE "test_" "studio_" name ${name})
    add_test(NAME ${name} COMMAND ${OSSA_PYTHON} ${script} $<TARGET_FILE:ossa>)
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
  endforeach()
  add_test(NAME oracle_sequence COMMAND ${OSSA_PYTHON} ${CMAKE_SOURCE_DIR}/tests/oracles/sequence.py $<TARGET_FILE:dump_sequence>
    $<TARGET_FILE:ossa> quadruped) # all models: make test-long
  add_test(NAME oracle_volume COMMAND ${OSSA_PYTHON} ${CMAKE_SOURCE_DIR}/tests/oracles/volume.py $<TARGET_FILE:ossa> quadruped)
  add_test(NAME oracle_contraction COMMAND ${OSSA_PYTHON} ${CMAKE_SOURCE_DIR}/tests/oracles/contraction.py
    $<TARGET_FILE:dump_contraction> $<TARGET_FILE:ossa> quadruped) # all models: make test-long
  set_tests_properties(oracle_sequence oracle_volume oracle_contraction PROPERTIES SKIP_RETURN_CODE 77)
  add_test(NAME toy_method COMMAND ${OSSA_PYTHON} ${CMAKE_SOURCE_DIR}/tests/toy/test_toy.py $<TARGET_FILE:ossa_toy>)
  add_test(NAME judge COMMAND ${OSSA_PYTHON} ${CMAKE_SOURCE_DIR}/tests/judge/run $<TARGET_FILE:ossa>)
  add_test(NAME judge_examples COMMAND ${OSSA_PYTHON} ${CMAKE_SOURCE_DIR}/tests/judge/judge_examples $<TARGET_FILE:ossa>
    fox "sample quadruped") # all models: make test-long
  add_test(NAME judge_bodies COMMAND ${OSSA_PYTHON} ${CMAKE_SOURCE_DIR}/tests/judge/judge_bodies $<TARGET_FILE:ossa>)
  add_test(NAME judge_retarget COMMAND ${OSSA_PYTHON} ${CMAKE_SOURCE_DIR}/tests/judge/judge_retarget $<TARGET_FILE:ossa>)
  add_test(NAME judge_given COMMAND ${OSSA_PYTHON} ${CMAKE_SOURCE_DIR}/tests/judge/judge_given $<TARGET_FILE:ossa>)
  set_tests_properties(judge judge_examples judge_bodies judge_given judge_retarget PROPERTIES SKIP_RETURN_CODE 77)
else()
  message(STATUS "no python3: the tests of the command and of the layers are left out")
endif()

add_test(NAME check_headers COMMAND ${CMAKE_SOURCE_DIR}/scripts/check_headers)
# instrumented builds hold symbols of their own and cannot be linked without their runtime
if(NOT OSSA_SANITIZE)
  add_test(NAME check_symbols COMMAND ${CMAKE_SOURCE_DIR}/scripts/check_symbols ${CMAKE_BINARY_DIR})
  add_test(NAME check_install COMMAND ${CMAKE_SOURCE_DIR}/scripts/check_install ${CMAKE_BINARY_DIR})
endif()
if(OSSA_PYTHON AND NOT OSSA_SANITIZE)
  add_test(NAME check_docs COMMAND ${OSSA_PYTHON} ${CMAKE_SOURCE_DIR}/scripts/check_docs ${CMAKE_BINARY_DIR})
endif()

# the long ones first, so that no processor waits at the end for one
foreach(name command_batch command_spoilt command_volume command_hostile command_rig command_arguments command_pose command_convert
    command_inspect command_report command_rest_pose command_kept_files studio_steps studio_server studio_bad_requests judge test_moving_body test_no_limbs test_recognize test_name_bones test_make_moving test_volume_limbs test_examples test_volume test_volume_alike test_contraction test_samples
    test_sequence test_examples_truth test_path_tree test_moving_options test_spectral)
  if(TEST ${name})
    set_tests_properties(${name} PROPERTIES COST 10)
  endif()
endforeach()
