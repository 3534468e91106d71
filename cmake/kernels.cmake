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
	"#include \"kernels/all.h\"\n" @ONLY)

set(OZ_KERNEL_TEXTS ${PROJECT_BINARY_DIR}/kernels.cl)
oz_flatten(${PROJECT_BINARY_DIR}/all_kernels.h ${PROJECT_BINARY_DIR}/kernels.cl)
foreach(source IN LISTS kernel_sources)
	oz_flatten(${PROJECT_SOURCE_DIR}/src/${source} ${PROJECT_BINARY_DIR}/kernels/${source})
	list(APPEND OZ_KERNEL_TEXTS ${PROJECT_BINARY_DIR}/kernels/${source})
endforeach()
add_custom_target(kernels ALL DEPENDS ${OZ_KERNEL_TEXTS})

# oz_embed_kernels(target text symbol): a text as a C array of the target
function(oz_embed_kernels target text symbol)
	set(output ${PROJECT_BINARY_DIR}/${symbol}.c)
	add_custom_command(OUTPUT ${output}
		COMMAND ${CMAKE_COMMAND} -DTEXT=${text} -DSYMBOL=${symbol} -DOUTPUT=${output}
			-P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
		DEPENDS ${text} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
		VERBATIM)
	target_sources(${target} PRIVATE ${output})
endfunction()

if(OZ_OPENCL)
	oz_embed_kernels(ooze ${PROJECT_BINARY_DIR}/kernels.cl oz_core_text)
	oz_embed_kernels(ooze ${PROJECT_BINARY_DIR}/kernels/device/opencl/tools.cl oz_tools_text)
	set_property(SOURCE src/kernels/core.c APPEND PROPERTY
		COMPILE_DEFINITIONS OZ_PACK_TEXT=oz_core_text)
endif()

# oz_add_kernel_pack(target name source): gives a target the pack of kernels of a file, which names
# its pack and lists its kernels at its end (kernels/pack_cpu.c); the target's own file defines the
# records (kernels/pack_define.h)
function(oz_add_kernel_pack target name source)
	oz_add_vector_code(${target} ${PROJECT_SOURCE_DIR}/src/kernels/pack_cpu.c ${name}_pack
		OZ_PACK_SOURCE="${source}")
	if(OZ_WIDTHS MATCHES 16)
		target_compile_definitions(${target} PRIVATE OZ_X86_KERNELS=1)
	endif()
	if(OZ_OPENCL)
		oz_flatten(${source} ${PROJECT_BINARY_DIR}/packs/${name}.cl)
		oz_embed_kernels(${target} ${PROJECT_BINARY_DIR}/packs/${name}.cl ${name}_text)
		target_compile_definitions(${target} PRIVATE OZ_PACK_TEXT=${name}_text)
	endif()
endfunction()
