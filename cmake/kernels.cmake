# Packs of kernels (docs/kernels.md), and their text for OpenCL drivers.
#
# The C preprocessor expands each kernel file into one text for OpenCL, without macros and headers of
# the host. OZ_KERNEL_TEXTS lists the text of the engine's own pack, then the text of each file.

# oz_flatten(source output): expands a kernel file into one OpenCL text
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

# oz_embed_kernels(target text symbol): adds a text to a target, as a C array
function(oz_embed_kernels target text symbol)
	set(output ${PROJECT_BINARY_DIR}/${symbol}.c)
	add_custom_command(OUTPUT ${output}
		COMMAND ${CMAKE_COMMAND} -DTEXT=${text} -DSYMBOL=${symbol} -DOUTPUT=${output}
			-P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
		DEPENDS ${text} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
		VERBATIM)
	target_sources(${target} PRIVATE ${output})
endfunction()

# oz_add_kernel_pack(target pack [SIMD header] files...): adds a pack with the kernels of some files to
# a target. A file NAME.cl lists its kernels at its end as NAME_KERNELS; they need no other
# registration. Writes the header PACK.h, which includes the files and their lists. From it
# kernels/pack_cpu.c (once for each width) and kernels/pack_records.c are compiled, and the text for
# OpenCL, PACK.cl, is made.
function(oz_add_kernel_pack target pack)
	cmake_parse_arguments(PARSE_ARGV 2 arg "" "SIMD" "")
	set(folder ${PROJECT_BINARY_DIR}/packs)
	set(includes "")
	set(lists "")
	foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
		get_filename_component(name ${source} NAME_WE)
		string(APPEND includes "#include \"${source}\"\n")
		string(APPEND lists " ${name}_KERNELS(X)")
	endforeach()
	file(CONFIGURE OUTPUT ${folder}/${pack}.h CONTENT
		"${includes}#define OZ_PACK ${pack}\n#define OZ_PACK_KERNELS(X)${lists}\n" @ONLY)
	set(definitions OZ_PACK_HEADER="${folder}/${pack}.h")
	if(arg_SIMD)
		list(APPEND definitions OZ_PACK_SIMD="${arg_SIMD}")
	endif()
	oz_add_vector_code(${target} ${PROJECT_SOURCE_DIR}/src/kernels/pack_cpu.c ${pack}
		${definitions})

	add_library(${pack}_records OBJECT ${PROJECT_SOURCE_DIR}/src/kernels/pack_records.c)
	oz_compile_core(${pack}_records)
	target_compile_definitions(${pack}_records PRIVATE ${definitions})
	if(OZ_WIDTHS MATCHES 16)
		target_compile_definitions(${pack}_records PRIVATE OZ_X86_KERNELS=1)
	endif()
	if(OZ_OPENCL)
		oz_flatten(${folder}/${pack}.h ${folder}/${pack}.cl)
		oz_embed_kernels(${target} ${folder}/${pack}.cl ${pack}_text)
		target_compile_definitions(${pack}_records PRIVATE OZ_PACK_TEXT=${pack}_text)
	endif()
	target_sources(${target} PRIVATE $<TARGET_OBJECTS:${pack}_records>)
endfunction()

file(GLOB_RECURSE kernel_sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/src src/*.cl)
list(SORT kernel_sources)
foreach(source IN LISTS kernel_sources)
	oz_flatten(${PROJECT_SOURCE_DIR}/src/${source} ${PROJECT_BINARY_DIR}/kernels/${source})
	list(APPEND OZ_KERNEL_TEXTS ${PROJECT_BINARY_DIR}/kernels/${source})
endforeach()
# scan and sort: the OpenCL device builds them as a program of its own
list(REMOVE_ITEM kernel_sources device/opencl/tools.cl)
oz_add_kernel_pack(ooze oz_core_kernels SIMD kernels/simd.h ${kernel_sources})
if(OZ_OPENCL)
	list(PREPEND OZ_KERNEL_TEXTS ${PROJECT_BINARY_DIR}/packs/oz_core_kernels.cl)
	oz_embed_kernels(ooze ${PROJECT_BINARY_DIR}/kernels/device/opencl/tools.cl oz_tools_text)
endif()
add_custom_target(kernels ALL DEPENDS ${OZ_KERNEL_TEXTS})
