# ossa_toy: the command with one more method, which tests/toy registers: what a new method needs, and that help, studio and reports show it.
# The registry is compiled once more with the toy's row. As an object of the program it stands before the one in libossa.a.
add_library(ossa_toy_registry OBJECT src/methods/registry.c)
target_compile_definitions(ossa_toy_registry PRIVATE OSSA_MORE_METHODS="toy/rows.h")
target_include_directories(ossa_toy_registry PRIVATE include src tests)
target_link_libraries(ossa_toy_registry PRIVATE ossa_flags)

add_executable(ossa_toy tools/ossa/main.c tests/toy/toy.c tests/toy/toy_options.c $<TARGET_OBJECTS:ossa_toy_registry>)
target_include_directories(ossa_toy PRIVATE src tests)
target_link_libraries(ossa_toy PRIVATE ossa_command)
set_target_properties(ossa_toy PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
