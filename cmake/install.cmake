# `make install`: headers, library, program, scenes, and files for pkg-config and find_package(Ooze),
# which use relative paths, so that the prefix can be moved.
include(CMakePackageConfigHelpers)

set(oz_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Ooze)
set(oz_pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(TARGETS ooze EXPORT OozeTargets)
install(TARGETS ooze_program)
install(DIRECTORY include/ooze DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/ooze)
# scenes refer to their schema as ../docs/scene.schema.json
install(FILES docs/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/ooze/docs)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(EXPORT OozeTargets NAMESPACE Ooze:: DESTINATION ${oz_package_dir})
configure_package_config_file(cmake/OozeConfig.cmake.in OozeConfig.cmake
	INSTALL_DESTINATION ${oz_package_dir})
write_basic_package_version_file(OozeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/OozeConfig.cmake ${PROJECT_BINARY_DIR}/OozeConfigVersion.cmake
	DESTINATION ${oz_package_dir})

file(RELATIVE_PATH oz_pc_to_prefix /${oz_pkgconfig_dir} /)
string(REGEX REPLACE "/$" "" oz_pc_to_prefix ${oz_pc_to_prefix})
configure_file(cmake/ooze.pc.in ooze.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/ooze.pc DESTINATION ${oz_pkgconfig_dir})
