# What `make install` puts where: the command, both libraries, headers, ossa.pc, the manual page, completions.
include(GNUInstallDirs)

install(TARGETS ossa RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS ossa_static ossa_shared
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/ossa DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

# ossa.pc finds its prefix from where it lies, so that the installed tree can be moved
file(RELATIVE_PATH OSSA_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" OSSA_PC_PREFIX "${OSSA_PC_PREFIX}")
configure_file(cmake/ossa.pc.in ossa.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/ossa.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# manual page and completions are printed by the command itself, from the same tables as its help
set(OSSA_TOLD ${CMAKE_BINARY_DIR}/docs)
file(MAKE_DIRECTORY ${OSSA_TOLD})
add_custom_command(TARGET ossa POST_BUILD
  COMMAND ossa --man > ${OSSA_TOLD}/ossa.1
  COMMAND ossa --completion bash > ${OSSA_TOLD}/ossa.bash
  COMMAND ossa --completion zsh > ${OSSA_TOLD}/_ossa
  VERBATIM)
install(FILES ${OSSA_TOLD}/ossa.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${OSSA_TOLD}/ossa.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ossa)
install(FILES ${OSSA_TOLD}/_ossa DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)

# the studio's page, where `make studio` has built it
install(DIRECTORY ${CMAKE_BINARY_DIR}/studio/ DESTINATION ${CMAKE_INSTALL_DATADIR}/ossa/studio OPTIONAL)
