# kernels.cl: all kernel files of src/ as one text for an OpenCL driver, and each of them alone.
#
# The C preprocessor flattens them as OpenCL sees them: without the host's macros and headers.
# OZ_KERNEL_TEXTS lists what is made: first the whole, then a text for each file.

function(oz_flatten source output)
	get_filename_component(folder ${output} DIRECTORY)
	file(MAKE_DIRECTORY ${folder})
	add_custom_command(OUTPUT ${output}
		COMMAND ${CMAKE_C_COMPILER} -E -P -x c -undef -nostdinc -D__OPENCL_VERSION__=120
			-I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/src
			-MD -MF ${output}.d -MT ${output} -o ${output} ${source}
		DEPENDS ${source}
		DEPFILE ${output}.d
		COMMENT "Flattening ${output}"
		VERBATIM)
endfunction()

file(GLOB_RECURSE kernel_sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/src src/*.cl)
list(SORT kernel_sources)
file(CONFIGURE OUTPUT all_kernels.h CONTENT
	"#include \"device/all_kernels.h\"\n#include \"device/opencl/tools.cl\"\n" @ONLY)

set(OZ_KERNEL_TEXTS ${PROJECT_BINARY_DIR}/kernels.cl)
oz_flatten(${PROJECT_BINARY_DIR}/all_kernels.h ${PROJECT_BINARY_DIR}/kernels.cl)
foreach(source IN LISTS kernel_sources)
	oz_flatten(${PROJECT_SOURCE_DIR}/src/${source} ${PROJECT_BINARY_DIR}/kernels/${source})
	list(APPEND OZ_KERNEL_TEXTS ${PROJECT_BINARY_DIR}/kernels/${source})
endforeach()
add_custom_target(kernels ALL DEPENDS ${OZ_KERNEL_TEXTS})

# the same text as a C array, for the library
if(OZ_OPENCL)
	add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/kernel_text.c
		COMMAND ${CMAKE_COMMAND} -DTEXT=${PROJECT_BINARY_DIR}/kernels.cl
			-DOUTPUT=${PROJECT_BINARY_DIR}/kernel_text.c
			-P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
		DEPENDS ${PROJECT_BINARY_DIR}/kernels.cl ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
		VERBATIM)
	target_sources(ooze PRIVATE ${PROJECT_BINARY_DIR}/kernel_text.c)
endif()
