// params_table.h: every parameter of the core, once.
//
// A row reads: field, name, type, unit, default, least, most, choices, sentence. The rows make the
// defaults, the range checks, the schema of scene files, the docs page and --help, so a parameter
// that has a row here is known everywhere. For text, `most` is its length in bytes. Rows of
// materials have one more column before the sentence: the models that read the parameter.
#ifndef OZ_PARAMS_TABLE_H
#define OZ_PARAMS_TABLE_H

// clang-format off
#define OZ_WORLD_ROWS(ROW) \
	ROW(spacing, "spacing", FLOAT, "m", (0.02), 1e-5, 1e3, "", \
	    "Distance between particles at rest: the one resolution knob. Half of it is eight times the particles.") \
	ROW(support, "support", FLOAT, "spacings", (2), 1.7, 4, "", \
	    "Support radius of the kernels: how far a particle feels its neighbours. Below 1.7 they are too few to hold the volume.") \
	ROW(gravity, "gravity", VEC3, "m/s²", (0, -9.81, 0), -1e6, 1e6, "", \
	    "Acceleration of everything that can move; y points up.") \
	ROW(sound_speed, "sound_speed", FLOAT, "m/s", (20), 1e-3, 1e5, "", \
	    "Stiffness of the liquids: about ten times the fastest flow keeps compression near 1 %; higher costs smaller time steps.") \
	ROW(eos, "eos", CHOICE, "", (OZ_EOS_LINEAR), 0, OZ_EOS_COUNT - 1, "linear tait", \
	    "How pressure follows density: in proportion, or by Tait's seventh power.") \
	ROW(tension, "tension", BOOL, "", (0), 0, 1, "", \
	    "Let pressure become negative, so that a stretched liquid pulls itself together.") \
	ROW(kernel, "kernel", CHOICE, "", (OZ_KERNEL_CUBIC), 0, OZ_KERNEL_COUNT - 1, "cubic wendland muller", \
	    "Smoothing kernel: cubic spline, Wendland C2, or poly6 with the spiky gradient.") \
	ROW(time_step, "time_step", FLOAT, "s", (0), 0, 1, "", \
	    "Fixed time step; 0 adapts it to the flow.") \
	ROW(time_step_max, "time_step_max", FLOAT, "s", (0.01), 1e-9, 1, "", \
	    "The most an adapted time step may take.") \
	ROW(cfl, "cfl", FLOAT, "", (1), 0.01, 2, "", \
	    "Share of the stable time step to use; lower it where a flow is rough.") \
	ROW(skin, "skin", FLOAT, "support radii", (-1), -1, 0.5, "", \
	    "Neighbour lists reach this much farther, so that they last for several steps; " \
	    "negative takes 0.06 on a CPU and 0.12 on a GPU.") \
	ROW(max_compression, "max_compression", FLOAT, "", (0.2), 1e-4, 10, "", \
	    "Share of the rest density above which an event tells that the volume is not held.") \
	ROW(bounds_min, "bounds_min", VEC3, "m", (-1e9, -1e9, -1e9), -1e9, 1e9, "", \
	    "Lower corner of the bounds; a body with no particle inside them has left.") \
	ROW(bounds_max, "bounds_max", VEC3, "m", (1e9, 1e9, 1e9), -1e9, 1e9, "", \
	    "Upper corner of the bounds.") \
	ROW(threads, "threads", UINT, "", (0), 0, 256, "", \
	    "Threads to compute with; 0 takes one for each core. Results do not depend on it.")

// models that read a row of a material
#define OF_ALL       0u
#define OF_BLEND     (1u << OZ_BLEND)
#define OF_COROTATED (1u << OZ_COROTATED)

#define OZ_MATERIAL_ROWS(ROW) \
	ROW(model, "model", CHOICE, "", (OZ_FLUID), 0, OZ_MODEL_COUNT - 1, "fluid blend corotated", OF_ALL, \
	    "What the material is: a fluid, a blend of fluid and elastic solid, or an elastic solid.") \
	ROW(density, "density", FLOAT, "kg/m³", (1000), 1e-3, 1e5, "", OF_ALL, \
	    "Density at rest.") \
	ROW(viscosity, "viscosity", FLOAT, "Pa·s", (0.001), 0, 1e6, "", OF_ALL, \
	    "Dynamic viscosity: water 0.001, oil 0.1, honey 10.") \
	ROW(damping, "damping", FLOAT, "", (0.05), 0, 10, "", OF_ALL, \
	    "Artificial viscosity, the share of a sound wave's speed that neighbours lose to each other; calms the noise of impacts.") \
	ROW(conductivity, "conductivity", FLOAT, "W/(m·K)", (0), 0, 1e5, "", OF_ALL, \
	    "How well it conducts heat: water 0.6, rock 3, steel 50, copper 400; 0 conducts none.") \
	ROW(heat_capacity, "heat_capacity", FLOAT, "J/(kg·K)", (4180), 1, 1e6, "", OF_ALL, \
	    "Heat that warms a kilogram by one degree.") \
	ROW(melting_point, "melting_point", FLOAT, "°C", (1e6), -273.15, 1e6, "", OF_ALL, \
	    "Where it begins to melt; 1e6 never does.") \
	ROW(melting_range, "melting_range", FLOAT, "K", (5), 1e-3, 1e5, "", OF_ALL, \
	    "How much hotter than that it is when all of it is liquid.") \
	ROW(latent_heat, "latent_heat", FLOAT, "J/kg", (0), 0, 1e9, "", OF_ALL, \
	    "Heat that melting a kilogram takes, besides warming it; spread over the melting range.") \
	ROW(alpha, "alpha", FLOAT, "", (0.5), 0, 1, "", OF_BLEND, \
	    "Share of the fluid. 0 is rubber, 0.3 jelly, 0.7 toothpaste, 0.9 cream, 1 a liquid.") \
	ROW(cluster_radius, "cluster_radius", FLOAT, "spacings", (0), 0, 20, "", OF_BLEND, \
	    "Reach of shape matching; larger is stiffer and dearer. Not less than the world's support; 0 takes that.") \
	ROW(alpha_hot, "alpha_hot", FLOAT, "", (1), 0, 1, "", OF_BLEND, \
	    "Share of the fluid above the melting range; inside it, it goes straight from alpha to this.") \
	ROW(response, "response", FLOAT, "s", (0), 0, 10, "", OF_BLEND, \
	    "How soon a shape returns; shorter is stiffer. 0 is as stiff as the speed of sound allows.") \
	ROW(update_force, "update_force", FLOAT, "m/s²", (60), 0, 1e9, "", OF_BLEND, \
	    "Mean contact, beyond its weight, above which a component takes its present shape for good; times 1 - alpha.") \
	ROW(update_steps, "update_steps", UINT, "steps", (50), 1, 1000000, "", OF_BLEND, \
	    "Steps between two looks at that contact.") \
	ROW(merges, "merges", BOOL, "", (1), 0, 1, "", OF_BLEND, \
	    "May grow together with other components that may.") \
	ROW(paper, "paper", BOOL, "", (0), 0, 1, "", OF_BLEND, \
	    "Pressure and kernel as Takamatsu & Kanai print them; momentum leaks and particles clump.") \
	ROW(young_modulus, "young_modulus", FLOAT, "Pa", (1e5), 1, 1e12, "", OF_COROTATED, \
	    "Stiffness. Gelatin 1e4, soft rubber 1e5, a car tyre 1e7.") \
	ROW(poisson_ratio, "poisson_ratio", FLOAT, "", (0.3), -0.9, 0.49, "", OF_COROTATED, \
	    "How much thinner it gets when pulled; below 0.5, at which the volume would be kept exactly.") \
	ROW(elasticity, "elasticity", CHOICE, "", (OZ_ELASTIC_CORRECTED), 0, OZ_ELASTIC_COUNT - 1, "corrected paper plain mls", OF_COROTATED, \
	    "Corrected kernel gradients; or for comparison the paper's own, plain SPH that resists turning, or moving least squares.") \
	ROW(strain, "strain", CHOICE, "", (OZ_STRAIN_LINEAR), 0, OZ_STRAIN_COUNT - 1, "linear green", OF_COROTATED, \
	    "Strain tensor. Linear bears inversion; Green's stiffens as it is stretched.") \
	ROW(hourglass, "hourglass", FLOAT, "", (0.1), 0, 10, "", OF_COROTATED, \
	    "Resistance to zigzag motions that no strain sees, a share of young_modulus.") \
	ROW(bending, "bending", FLOAT, "", (1), 0, 1000, "", OF_COROTATED, \
	    "Resistance of sheets and rods to bending; 1 is that of a thickness of one spacing.") \
	ROW(implicit, "implicit", BOOL, "", (0), 0, 1, "", OF_COROTATED, \
	    "Solve for the end of the step, so that stiffness does not shorten the time step.") \
	ROW(friction, "friction", FLOAT, "", (0.3), 0, 8, "", OF_COROTATED, \
	    "Coulomb's coefficient between solids; the root of both counts.")

#define OZ_SHAPE_ROWS(ROW) \
	ROW(kind, "shape", CHOICE, "", (OZ_SHAPE_BOX), 0, OZ_SHAPE_COUNT - 1, \
	    "plane box ball dome cylinder capsule torus sheet rod sdf", \
	    "Kind of solid; round ones stand around y, a rod along it, a sheet lies across. A plane cannot be a body, a sheet or rod nothing else.") \
	ROW(size, "size", VEC3, "m", (1, 1, 1), 0, 1e9, "", \
	    "Box: edges x, y, z. Ball, dome: radius. Cylinder, capsule: radius, height. Torus: radius of the ring, of the tube. Sheet: edges x, z. Rod: length. Plane: none.") \
	ROW(position, "position", VEC3, "m", (0, 0, 0), -1e9, 1e9, "", \
	    "Where its centre stands; a dome's and a plane's flat side.") \
	ROW(rotation, "rotation", QUAT, "°", (0, 0, 0, 1), -1, 1, "", \
	    "Turned about x, then y, then z, by these angles.")

#define OZ_BODY_ROWS(ROW) \
	ROW(name, "name", STRING, "", (0), 0, OZ_NAME_SIZE - 1, "", \
	    "Its name in exports and sentences; without one it is named after its number.") \
	ROW(velocity, "velocity", VEC3, "m/s", (0, 0, 0), -1e5, 1e5, "", \
	    "Velocity at the start.") \
	ROW(spin, "spin", VEC3, "rad/s", (0, 0, 0), -1e5, 1e5, "", \
	    "Angular velocity at the start, about the mean of its particles.") \
	ROW(temperature, "temperature", FLOAT, "°C", (20), -273.15, 1e6, "", \
	    "Temperature at the start.")

#define OZ_COLLIDER_ROWS(ROW) \
	ROW(inside, "inside", BOOL, "", (0), 0, 1, "", \
	    "The material is inside the shape (a vessel), not outside.") \
	ROW(shell, "shell", BOOL, "", (0), 0, 1, "", \
	    "The surface alone is solid: material may be on both sides of it.") \
	ROW(flat, "flat", BOOL, "", (0), 0, 1, "", \
	    "Counts as flat wherever it is met, without its curvature and edges.") \
	ROW(load, "load", BOOL, "", (0), 0, 1, "", \
	    "Sum up the force and torque of the material on it, for oz_world_take_load of the library.") \
	ROW(friction, "friction", FLOAT, "", (0), 0, 100, "", \
	    "Coulomb's coefficient: 0 slides freely.") \
	ROW(restitution, "restitution", FLOAT, "", (0), 0, 1, "", \
	    "Share of the normal speed given back on impact.") \
	ROW(loop, "loop", BOOL, "", (0), 0, 1, "", \
	    "Begin again after the last keyframe.")

#define OZ_EMITTER_ROWS(ROW) \
	ROW(position, "position", VEC3, "m", (0, 0, 0), -1e9, 1e9, "", \
	    "Centre of the round opening.") \
	ROW(direction, "direction", VEC3, "", (0, -1, 0), -1e9, 1e9, "", \
	    "Where the jet points; any length but zero.") \
	ROW(radius, "radius", FLOAT, "m", (0.05), 1e-6, 1e6, "", \
	    "Radius of the opening.") \
	ROW(speed, "speed", FLOAT, "m/s", (1), 1e-6, 1e5, "", \
	    "Speed of the jet at the opening.") \
	ROW(rate, "rate", FLOAT, "m³/s", (0), 0, 1e9, "", \
	    "Volume poured each second; 0 pours a full jet, area times speed.") \
	ROW(start, "start", FLOAT, "s", (0), 0, 1e9, "", \
	    "When it begins to pour.") \
	ROW(duration, "duration", FLOAT, "s", (1e9), 0, 1e9, "", \
	    "How long it pours.") \
	ROW(temperature, "temperature", FLOAT, "°C", (20), -273.15, 1e6, "", \
	    "Temperature of what it pours.")

#define OZ_REGION_ROWS(ROW) \
	ROW(temperature, "temperature", FLOAT, "°C", (20), -273.15, 1e6, "", \
	    "Temperature that what is inside takes.") \
	ROW(rate, "rate", FLOAT, "1/s", (1), 0, 1e6, "", \
	    "How soon: after 1/rate seconds 37 % of the difference are left. Latent heat slows it.") \
	ROW(start, "start", FLOAT, "s", (0), 0, 1e9, "", \
	    "When it begins to heat or cool.") \
	ROW(duration, "duration", FLOAT, "s", (1e9), 0, 1e9, "", \
	    "How long it does.")

#define OZ_HANDLE_ROWS(ROW) \
	ROW(release, "release", FLOAT, "s", (1e9), 0, 1e9, "", \
	    "When it lets go.") \
	ROW(loop, "loop", BOOL, "", (0), 0, 1, "", \
	    "Begin again after the last keyframe.")

#define OZ_KEYFRAME_ROWS(ROW) \
	ROW(time, "time", FLOAT, "s", (0), 0, 1e9, "", \
	    "When it stands like this; keyframes come in order of time.") \
	ROW(position, "position", VEC3, "m", (0, 0, 0), -1e9, 1e9, "", \
	    "Where it stands then.") \
	ROW(rotation, "rotation", QUAT, "°", (0, 0, 0, 1), -1, 1, "", \
	    "How it is turned then: about x, then y, then z. An angle half a turn or more from the one before goes all the way, as written.")

#define OZ_SURFACE_ROWS(ROW) \
	ROW(kind, "kind", CHOICE, "", (OZ_SURFACE_SMOOTH), 0, OZ_SURFACE_KIND_COUNT - 1, "density distance smooth", \
	    "What the surface follows: the smoothed density, the distance from outer particles, or a density whose kernels lie flat along the surface.") \
	ROW(cell, "cell", FLOAT, "spacings", (0.5), 0.05, 2, "", \
	    "Edge of a grid cell: half of it is four times the triangles.") \
	ROW(reach, "reach", FLOAT, "spacings", (2), 1.5, 4, "", \
	    "Radius of a particle's kernel: larger is smoother and closes gaps, smaller keeps detail.") \
	ROW(threshold, "threshold", FLOAT, "", (0.95), 0.1, 1.5, "", \
	    "Share of the rest density below which a particle lies on the surface, for the kind distance.") \
	ROW(smoothing, "smoothing", UINT, "passes", (3), 0, 1000, "", \
	    "Passes of smoothing over the finished mesh; the volume stays.") \
	ROW(specks, "specks", FLOAT, "particles", (0), 0, 1e9, "", \
	    "Pieces of a volume less than this are left out: 2 removes lone drops.") \
	ROW(fit, "fit", FLOAT, "spacings", (0.5), 0, 4, "", \
	    "Vertices nearer to a wall than this move onto it, so that a liquid fits its vessel; 0 leaves them.")
// clang-format on

#endif
