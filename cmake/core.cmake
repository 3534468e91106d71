# The core library, and the flags of all our code.
#
# Vector code is compiled once for each vector width, and the library chooses one at run time, so that
# one build runs on every machine. All other files are compiled without special instructions.

function(oz_compile target)
	target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
	target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wconversion)
endfunction()

# arithmetic: no errno, no floating-point traps, fused a·b + c if the processor has it
function(oz_compile_core target)
	oz_compile(${target})
	target_include_directories(${target} PUBLIC
		$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
		$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
	target_compile_options(${target} PRIVATE
		-fno-math-errno -fno-trapping-math -ffp-contract=fast)
endfunction()

file(GLOB core_sources CONFIGURE_DEPENDS
	src/base/*.c src/math/*.c src/device/*.c src/solver/*.c src/params/*.c src/particles/*.c src/contact/*.c src/models/*.c src/models/*/*.c
	src/pressure/*.c src/boundary/*.c src/world/*.c src/geometry/fill*.c src/geometry/shape*.c src/geometry/cover*.c
	src/geometry/mesh.c src/geometry/mesh_edges.c
	src/surface/*.c src/skin/*.c)
list(REMOVE_ITEM core_sources ${PROJECT_SOURCE_DIR}/src/surface/surface_simd.c)
if(OZ_OPENCL)
	file(GLOB opencl_sources CONFIGURE_DEPENDS src/device/opencl/*.c)
	list(APPEND core_sources ${opencl_sources})
	list(REMOVE_ITEM core_sources ${PROJECT_SOURCE_DIR}/src/device/opencl_absent.c)
endif()

add_library(ooze ${core_sources})
add_library(Ooze::ooze ALIAS ooze)
oz_compile_core(ooze)
target_link_libraries(ooze PUBLIC m Threads::Threads ${CMAKE_DL_LIBS})
if(OZ_OPENCL)
	target_include_directories(ooze PRIVATE ${OZ_OPENCL_INCLUDE})
endif()
set_target_properties(ooze PROPERTIES
	VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# oz_add_vector_code(target source name definitions...): compiles a source for each width, as NAME_4 …
function(oz_add_vector_code target source name)
	foreach(lanes IN LISTS OZ_WIDTHS)
		set(object ${name}_${lanes})
		add_library(${object} OBJECT ${source})
		oz_compile_core(${object})
		target_compile_definitions(${object} PRIVATE OZ_LANES=${lanes} ${ARGN})
		target_compile_options(${object} PRIVATE ${OZ_FLAGS_${lanes}})
		# GCC limits inlining in large files; without this, a new kernel would slow down others
		if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
			target_compile_options(${object} PRIVATE --param=inline-unit-growth=1000)
		endif()
		target_sources(${target} PRIVATE $<TARGET_OBJECTS:${object}>)
	endforeach()
endfunction()

option(OZ_WIDE_VECTORS "Build kernels for vectors of 8 and 16 floats, too" ON)
mark_as_advanced(OZ_WIDE_VECTORS)
set(OZ_WIDTHS 4)
if(OZ_WIDE_VECTORS AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
	set(OZ_WIDTHS 4 8 16)
	set(OZ_FLAGS_8 -mavx2 -mfma -mbmi2 -mf16c)
	set(OZ_FLAGS_16 -mavx512f -mavx512vl -mavx512dq -mavx512bw -mfma -mbmi2 -mavx2 -mf16c)
	target_compile_definitions(ooze PRIVATE OZ_X86_KERNELS=1)
endif()
oz_add_vector_code(ooze ${PROJECT_SOURCE_DIR}/src/surface/surface_simd.c oz_surface)
