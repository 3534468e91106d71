// params_table.h: the table of all parameters of the core.
//
// Columns of a row: field, name, type, unit, default, minimum, maximum, choices, sentence.
// Defaults, range checks, the schema of scene files, docs/parameters.md and --help are made from
// the rows. For a string, the maximum is its length in bytes. Rows of materials have one more
// column before the sentence: the models that read the parameter. A row may have one more column
// behind the sentence: a hint, which ends the error for a number outside its range.
#ifndef OZ_PARAMS_TABLE_H
#define OZ_PARAMS_TABLE_H

// clang-format off
#define OZ_WORLD_ROWS(ROW) \
	ROW(spacing, "spacing", FLOAT, "m", (0.02), 1e-5, 1e3, "", \
	    "Distance between particles at rest: the resolution. Half the spacing gives eight times the particles.") \
	ROW(support, "support", FLOAT, "spacings", (2.2), 1.7, 4, "", \
	    "Support radius of the kernels: particles nearer than this interact. 2.2 for the kernel fitted, 2 for cubic, 2.5 and more for wendland. Below 1.7 there are too few neighbours to keep the volume.") \
	ROW(gravity, "gravity", VEC3, "m/s²", (0, -9.81, 0), -1e6, 1e6, "", \
	    "Acceleration of all particles; y points up.") \
	ROW(sound_speed, "sound_speed", FLOAT, "m/s", (20), 1e-3, 1e5, "", \
	    "Speed of sound, the stiffness of liquids: ten times the fastest flow keeps compression near 1 %; a higher value needs shorter time steps.") \
	ROW(pressure, "pressure", CHOICE, "", (OZ_PRESSURE_EOS), 0, OZ_PRESSURE_COUNT - 1, "eos incompressible", \
	    "How pressures are found: from the density by an equation of state, or such that the volume is kept, which allows far longer time steps.") \
	ROW(eos, "eos", CHOICE, "", (OZ_EOS_LINEAR), 0, OZ_EOS_COUNT - 1, "linear tait", \
	    "Equation of state: pressure is linear in density, or follows Tait's seventh power.") \
	ROW(solver, "solver", CHOICE, "", (OZ_SOLVER_ACCELERATED), 0, OZ_SOLVER_COUNT - 1, "accelerated jacobi", \
	    "Solver of the incompressible pressure: accelerated, or relaxed Jacobi iteration as Ihmsen et al. print it, for comparison.") \
	ROW(density_error, "density_error", FLOAT, "", (1e-4), 1e-7, 0.1, "", \
	    "Mean error of the density, relative to the rest density, at which the solver of the incompressible pressure stops; less in steps shorter than 2 support radii / sound_speed.") \
	ROW(divergence_error, "divergence_error", FLOAT, "", (0), 0, 0.1, "", \
	    "Above 0 velocities and densities of incompressible fluids are solved for apart: velocities until the mean compression in a step is below this, as density_error; then what is compressed is moved apart. 0: together.") \
	ROW(max_rounds, "max_rounds", UINT, "", (200), 1, 100000, "", \
	    "Most rounds of the solver of the incompressible pressure in a step.") \
	ROW(tension, "tension", BOOL, "", (0), 0, 1, "", \
	    "Pressure may become negative everywhere, also at free surfaces. For comparison; use the cohesion of a material.") \
	ROW(kernel, "kernel", CHOICE, "", (OZ_KERNEL_FITTED), 0, OZ_KERNEL_COUNT - 1, "cubic wendland muller fitted", \
	    "Smoothing kernel: fitted, for a support of 2.2, with which liquids have no shear strength; for comparison cubic spline, Wendland C2, or poly6 with the spiky gradient.") \
	ROW(time_step, "time_step", FLOAT, "s", (0), 0, 1, "", \
	    "Fixed time step; 0 adapts it to the flow.") \
	ROW(time_step_max, "time_step_max", FLOAT, "s", (0.01), 1e-9, 1, "", \
	    "Longest adapted time step.") \
	ROW(cfl, "cfl", FLOAT, "", (1), 0.01, 2, "", \
	    "Adapted time step over the longest stable one; use a lower value for violent flows.") \
	ROW(skin, "skin", FLOAT, "support radii", (-1), -1, 0.5, "", \
	    "Extra radius of neighbour lists, so that they stay valid for several steps; " \
	    "a negative value means 0.06 on a CPU and 0.12 on a GPU.") \
	ROW(max_compression, "max_compression", FLOAT, "", (0.2), 1e-4, 10, "", \
	    "Compression, relative to the rest density, above which an event reports that the volume is not kept.") \
	ROW(overlap_time, "overlap_time", FLOAT, "s", (0.05), 0, 1000, "", \
	    "Particles of bodies that overlap when they are added are soft, so that they part slowly; in this time after that they get their stiffness back. 0: they burst apart.") \
	ROW(bounds_min, "bounds_min", VEC3, "m", (-1e9, -1e9, -1e9), -1e9, 1e9, "", \
	    "Lower corner of the bounds; an event reports a body that has no particle inside them.") \
	ROW(bounds_max, "bounds_max", VEC3, "m", (1e9, 1e9, 1e9), -1e9, 1e9, "", \
	    "Upper corner of the bounds.") \
	ROW(threads, "threads", UINT, "", (0), 0, 256, "", \
	    "Number of threads; 0 means one for each core. Results do not depend on it.")

// models that read a row of a material
#define OF_ALL       0u
#define OF_FLUID     (1u << OZ_FLUID)
#define OF_BLEND     (1u << OZ_BLEND)
#define OF_COROTATED (1u << OZ_COROTATED)
#define OF_RIGID     (1u << OZ_RIGID)
#define OF_LINKS     (1u << OZ_LINKS)
#define OF_POLYMER   (1u << OZ_POLYMER)
#define OF_MEMBRANE  (1u << OZ_MEMBRANE)

#define OZ_MATERIAL_ROWS(ROW) \
	ROW(model, "model", CHOICE, "", (OZ_FLUID), 0, OZ_MODEL_COUNT - 1, "fluid blend corotated rigid links polymer membrane", OF_ALL, \
	    "Model of the material: a fluid, a blend of fluid and elastic solid, an elastic solid, a rigid body, a viscoelastic fluid of linked particles, a polymer solution, or an inflated skin.") \
	ROW(density, "density", FLOAT, "kg/m³", (1000), 1e-3, 1e5, "", OF_ALL, \
	    "Density at rest.") \
	ROW(viscosity, "viscosity", FLOAT, "Pa·s", (0.001), 0, 1e6, "", OF_ALL, \
	    "Dynamic viscosity: water 0.001, oil 0.1, honey 10.") \
	ROW(damping, "damping", FLOAT, "", (0.05), 0, 10, "", OF_ALL, \
	    "Damping of noise, dimensionless: it is multiplied with density and speed of sound. It is an artificial viscosity; in fluids with the kernel fitted it resists compression instead.") \
	ROW(cohesion, "cohesion", FLOAT, "Pa", (0), 0, 1e9, "", OF_FLUID | OF_LINKS | OF_POLYMER, \
	    "Largest tension of a stretched liquid: it holds threads and films together. The preset water has 50, honey 1000; 0: it comes apart freely.") \
	ROW(surface_tension, "surface_tension", FLOAT, "N/m", (0), 0, 10, "", OF_FLUID | OF_LINKS | OF_POLYMER, \
	    "Surface tension against air: water 0.072, honey 0.06, alcohol 0.022, mercury 0.485; 0: none.", \
	    "water has 0.0728 N/m") \
	ROW(viscous_form, "viscous_form", CHOICE, "", (OZ_VISCOUS_AUTO), 0, OZ_VISCOUS_COUNT - 1, "auto pairs stress", OF_FLUID, \
	    "How viscosity acts: as a stress, solved implicitly, right to a few per cent; or as a force between pairs, cheaper, some 20 % too weak, for thin fluids. auto: stress from 0.05 Pa·s on.") \
	ROW(yield_stress, "yield_stress", FLOAT, "Pa", (0), 0, 1e9, "", OF_FLUID, \
	    "Shear stress below which it hardly flows: ketchup 15, mayonnaise 100, toothpaste 200.") \
	ROW(flow_exponent, "flow_exponent", FLOAT, "", (1), 0.05, 3, "", OF_FLUID, \
	    "Exponent n of shear stress over the rate of shear: 1 Newtonian, below 1 thins under shear, above 1 thickens. viscosity then holds at a rate of 1/s.") \
	ROW(creep_rate, "creep_rate", FLOAT, "1/s", (0.001), 1e-7, 1e3, "", OF_FLUID, \
	    "Rate of shear below which yield_stress and flow_exponent give way to a constant, high viscosity.") \
	ROW(carreau_time, "carreau_time", FLOAT, "s", (0), 0, 1e6, "", OF_FLUID, \
	    "Time of Carreau's law: it thins at rates of shear above one over this. 0: the law of Herschel and Bulkley.") \
	ROW(fast_viscosity, "fast_viscosity", FLOAT, "Pa·s", (0), 0, 1e6, "", OF_FLUID, \
	    "Viscosity of Carreau's law at high rates of shear; viscosity is that at rest.") \
	ROW(activation_energy, "activation_energy", FLOAT, "J/mol", (0), -1e6, 1e6, "", OF_FLUID | OF_LINKS | OF_POLYMER, \
	    "How much warmth thins it (Arrhenius): honey 9e4, chocolate 3.5e4, basalt lava 2e5; 0: not at all.") \
	ROW(viscosity_temperature, "viscosity_temperature", FLOAT, "°C", (20), -250, 1e5, "", OF_FLUID | OF_LINKS | OF_POLYMER, \
	    "Temperature at which viscosity and yield_stress hold, where activation_energy is not 0.") \
	ROW(viscosity_table, "viscosity_table", TABLE, "°C, Pa·s", (0), -273.15, 1e7, "", OF_FLUID, \
	    "Viscosity over temperature, points [temperature, viscosity] in order of temperature, in place of activation_energy: [[20, 10], [40, 0.9]]. At viscosity_temperature it must give viscosity; yield_stress changes in proportion.") \
	ROW(rebuild_time, "rebuild_time", FLOAT, "s", (0), 0, 1e6, "", OF_FLUID, \
	    "Thixotropy: time in which its structure rebuilds at rest. Yoghurt and ketchup that were stirred are thin, and set again in minutes. 0: the viscosity has no memory.") \
	ROW(breakdown, "breakdown", FLOAT, "", (0.1), 0, 1e6, "", OF_FLUID, \
	    "With rebuild_time: share of the structure that breaks for each unit of shear.") \
	ROW(broken_share, "broken_share", FLOAT, "", (0.1), 0.001, 1, "", OF_FLUID, \
	    "With rebuild_time: viscosity and yield_stress without structure, over those with all of it.") \
	ROW(conductivity, "conductivity", FLOAT, "W/(m·K)", (0), 0, 1e5, "", OF_ALL, \
	    "Thermal conductivity: water 0.6, rock 3, steel 50, copper 400; 0: no conduction.") \
	ROW(heat_capacity, "heat_capacity", FLOAT, "J/(kg·K)", (4180), 1, 1e6, "", OF_ALL, \
	    "Specific heat capacity: heat that warms one kilogram by one kelvin.") \
	ROW(melting_point, "melting_point", FLOAT, "°C", (1e6), -273.15, 1e6, "", OF_ALL, \
	    "Temperature at which melting begins; 1e6: it never melts.") \
	ROW(melting_range, "melting_range", FLOAT, "K", (5), 1e-3, 1e5, "", OF_ALL, \
	    "Temperature range of melting: above melting_point + melting_range all of it is liquid.") \
	ROW(latent_heat, "latent_heat", FLOAT, "J/kg", (0), 0, 1e9, "", OF_ALL, \
	    "Heat that melts one kilogram, in addition to warming it; spread over the melting range.") \
	ROW(alpha, "alpha", FLOAT, "", (0.5), 0, 1, "", OF_BLEND, \
	    "Fluid fraction: 0 is rubber, 0.3 jelly, 0.7 toothpaste, 0.9 cream, 1 a liquid.") \
	ROW(cluster_radius, "cluster_radius", FLOAT, "spacings", (0), 0, 20, "", OF_BLEND, \
	    "Radius of shape matching; larger is stiffer and slower. At least the world's support; 0 means the support.") \
	ROW(alpha_hot, "alpha_hot", FLOAT, "", (1), 0, 1, "", OF_BLEND, \
	    "Fluid fraction above the melting range; inside the range it changes linearly from alpha to this.") \
	ROW(response, "response", FLOAT, "s", (0), 0, 10, "", OF_BLEND, \
	    "Time in which a shape returns; shorter is stiffer. 0 is as stiff as the speed of sound allows.") \
	ROW(update_force, "update_force", FLOAT, "m/s²", (60), 0, 1e9, "", OF_BLEND, \
	    "Mean contact acceleration, without that of its weight, above which the present shape of a component becomes its rest shape; multiplied with 1 - alpha.") \
	ROW(update_steps, "update_steps", UINT, "steps", (50), 1, 1000000, "", OF_BLEND, \
	    "Steps between two tests of update_force.") \
	ROW(merges, "merges", BOOL, "", (1), 0, 1, "", OF_BLEND, \
	    "Its components may merge with other components that may.") \
	ROW(paper, "paper", BOOL, "", (0), 0, 1, "", OF_BLEND | OF_LINKS | OF_MEMBRANE, \
	    "As printed, for comparison. Of a blend: pressure and kernel of Takamatsu & Kanai; momentum is not conserved and particles clump. Of links: the constants of Takahashi et al., link_correction and those that follow, in place of shear_modulus, relaxation_time and yield_strain; results then depend on time step and spacing. Of a membrane with surface_stiffness: its pressure of Mesit & Guha, with which points that oscillate gain energy.") \
	ROW(young_modulus, "young_modulus", FLOAT, "Pa", (1e5), 1, 1e12, "", OF_COROTATED | OF_MEMBRANE, \
	    "Young's modulus, the stiffness: gelatin 1e4, soft rubber 1e5, a car tyre 1e7.") \
	ROW(poisson_ratio, "poisson_ratio", FLOAT, "", (0.3), -0.9, 0.49, "", OF_COROTATED | OF_MEMBRANE, \
	    "Poisson's ratio: transverse contraction over elongation; 0.5 would keep the volume exactly.") \
	ROW(elasticity, "elasticity", CHOICE, "", (OZ_ELASTIC_CORRECTED), 0, OZ_ELASTIC_COUNT - 1, "corrected paper plain mls", OF_COROTATED, \
	    "Corrected kernel gradients; or, for comparison, those of the paper, plain SPH that resists rotation, or moving least squares.") \
	ROW(strain, "strain", CHOICE, "", (OZ_STRAIN_LINEAR), 0, OZ_STRAIN_COUNT - 1, "linear green", OF_COROTATED, \
	    "Strain tensor. The linear one allows inverted particles; Green's becomes stiffer under stretch.") \
	ROW(hourglass, "hourglass", FLOAT, "", (1), 0, 10, "", OF_COROTATED, \
	    "Stiffness of the part of the motion around a particle that is not linear, zigzags among it; 1 makes coarse bodies bend as fine ones do.") \
	ROW(bending, "bending", FLOAT, "", (1), 0, 1000, "", OF_COROTATED, \
	    "Bending stiffness of sheets and rods; 1 is that of a thickness of one spacing.") \
	ROW(implicit, "implicit", BOOL, "", (0), 0, 1, "", OF_COROTATED, \
	    "Implicit time integration, so that stiffness does not shorten the time step.") \
	ROW(fixed, "fixed", BOOL, "", (0), 0, 1, "", OF_RIGID, \
	    "Rigid bodies of this material do not move.") \
	ROW(friction, "friction", FLOAT, "", (0.3), 0, 8, "", OF_COROTATED | OF_RIGID | OF_MEMBRANE, \
	    "Coulomb's coefficient between elastic solids, rigid bodies and membranes; of two materials the geometric mean is used. On a wall that of the collider counts.") \
	ROW(contact_angle, "contact_angle", FLOAT, "°", (90), 0, 180, "", OF_BLEND | OF_COROTATED | OF_RIGID | OF_MEMBRANE, \
	    "Angle inside a liquid with surface_tension where its surface meets the body: 20 on clean glass, 110 on wax.") \
	ROW(shear_modulus, "shear_modulus", FLOAT, "Pa", (300), 0, 1e9, "", OF_LINKS | OF_POLYMER, \
	    "Stiffness against quick changes of shape: slime 100, melted cheese 1000, dough 3000.") \
	ROW(relaxation_time, "relaxation_time", FLOAT, "s", (2), 1e-6, 1e9, "", OF_LINKS | OF_POLYMER, \
	    "Time in which the stress of a shape that is held falls to 37 %. In quicker motions it is elastic, in slower ones it flows with the viscosity shear_modulus × relaxation_time.") \
	ROW(yield_strain, "yield_strain", FLOAT, "", (0), 0, 1e9, "", OF_LINKS, \
	    "Stretch of a link, relative to its rest length, up to which it does not relax: below it the shape is kept. 0: it always flows.") \
	ROW(extensibility, "extensibility", FLOAT, "support radii", (2), 1, 4, "", OF_LINKS, \
	    "Length at which a link breaks, β of the paper: a higher value gives longer threads.") \
	ROW(sticky, "sticky", FLOAT, "Pa", (500), 0, 1e9, "", OF_LINKS, \
	    "Tension at which it comes off colliders and other materials: hands 100, glue 1e5. 0: it does not stick.") \
	ROW(link_reach, "link_reach", FLOAT, "support radii", (1), 0.5, 1, "", OF_LINKS, \
	    "Distance below which two particles are linked, α of the paper.") \
	ROW(link_law, "link_law", CHOICE, "", (OZ_LINKS_STRETCH), 0, OZ_LINK_LAW_COUNT - 1, "stretch springs", OF_LINKS, \
	    "Links pull when they are stretched; or, for comparison, springs at predicted positions that also push, as by Clavet et al.") \
	ROW(link_correction, "link_correction", FLOAT, "", (0.001), 0, 1, "", OF_LINKS, \
	    "With paper: c, the share of the stretch of a link that a step takes back.") \
	ROW(link_least, "link_least", FLOAT, "", (0.0001), 0, 1, "", OF_LINKS, \
	    "With paper: l, the value to which c falls when links are stretched.") \
	ROW(link_weakening, "link_weakening", FLOAT, "1/s", (0.001), 0, 1e6, "", OF_LINKS, \
	    "With paper: w, the rate at which c falls for each link beyond link_yield.") \
	ROW(link_yield, "link_yield", FLOAT, "support radii", (1.01), 0, 1e6, "", OF_LINKS, \
	    "With paper: γ, the stretch of a link above which c falls.") \
	ROW(polymer_law, "polymer_law", CHOICE, "", (OZ_POLYMER_OLDROYD), 0, OZ_POLYMER_LAW_COUNT - 1, "oldroyd giesekus corotational", OF_POLYMER, \
	    "How the stress of the polymer follows the flow: Oldroyd-B, whose viscosity does not depend on the rate of shear; Giesekus, which thins under shear; or the corotational law of Maxwell after Mao and Yang, for comparison.") \
	ROW(mobility, "mobility", FLOAT, "", (0), 0, 0.5, "", OF_POLYMER, \
	    "Of the law giesekus: mobility factor, above 0; the larger it is the more it thins under shear. Polymer solutions 0.1 to 0.4.") \
	ROW(thickness, "thickness", FLOAT, "m", (0.0003), 1e-9, 1, "", OF_MEMBRANE, \
	    "Thickness of the skin: party balloon 0.00025, beach ball 0.0003, tyre tube 0.002, soap film 1e-6.") \
	ROW(prestretch, "prestretch", FLOAT, "", (1), 0.05, 20, "", OF_MEMBRANE, \
	    "Stretch of the skin in the shape that the body is given, in all directions: 3 for a balloon that was blown up from a third of its radius.") \
	ROW(skin_law, "skin_law", CHOICE, "", (OZ_SKIN_LINEAR), 0, OZ_SKIN_COUNT - 1, "linear rubber springs", OF_MEMBRANE, \
	    "How the skin resists stretch: linear in Green's strain, as rubber after Mooney and Rivlin, or by springs along the edges, as the paper prints it.") \
	ROW(integration, "integration", CHOICE, "", (OZ_INTEGRATE_IMPLICIT), 0, OZ_INTEGRATE_COUNT - 1, "implicit simplified explicit", OF_MEMBRANE, \
	    "Time integration of the skin: implicit, by the approximation of the paper, or explicit with short time steps. That of the first membrane holds for all.") \
	ROW(filling, "filling", CHOICE, "", (OZ_FILLING_GAS), 0, OZ_FILLING_COUNT - 1, "gas liquid none", OF_MEMBRANE, \
	    "What it holds: an ideal gas, a liquid that keeps its volume, or nothing, so that fluids inside carry the skin.") \
	ROW(gauge_pressure, "gauge_pressure", FLOAT, "Pa", (0), -1e5, 1e8, "", OF_MEMBRANE, \
	    "Pressure inside over that outside in the shape that the body is given: party balloon 2500, beach ball 3000, car tyre 2e5.") \
	ROW(gas_amount, "gas_amount", FLOAT, "mol", (0), 0, 1e9, "", OF_MEMBRANE, \
	    "Amount of gas, N of the paper; 0: that of gauge_pressure. A litre of air at rest is 0.0416 mol.") \
	ROW(outside_pressure, "outside_pressure", FLOAT, "Pa", (101325), 0, 1e9, "", OF_MEMBRANE, \
	    "Pressure of the air outside; 0 in the vacuum.") \
	ROW(bulk_modulus, "bulk_modulus", FLOAT, "Pa", (1e6), 1, 1e10, "", OF_MEMBRANE, \
	    "Stiffness of a liquid filling against a change of its volume.") \
	ROW(filling_density, "filling_density", FLOAT, "kg/m³", (1000), 0, 30000, "", OF_MEMBRANE, \
	    "Density of a liquid filling, whose weight and inertia the skin carries; 0: it has none.") \
	ROW(skin_damping, "skin_damping", FLOAT, "s", (0.001), 0, 100, "", OF_MEMBRANE, \
	    "Damping of the skin: a rate of strain gives the stress of this time of it.") \
	ROW(surface_stiffness, "surface_stiffness", FLOAT, "Pa", (0), 0, 1e10, "", OF_MEMBRANE, \
	    "The points of the skin press on each other as those of a fluid, k of the paper: bulk modulus of a layer as thick as the skin, against a change of its area from that of the shape that the body is given. 0: they do not.") \
	ROW(surface_viscosity, "surface_viscosity", FLOAT, "Pa·s", (0), 0, 1e7, "", OF_MEMBRANE, \
	    "Points of the skin near each other drag each other along, μ of the paper: viscosity of a layer as thick as the skin. 0: they do not.") \
	ROW(opening, "opening", FLOAT, "m²", (0), 0, 1e3, "", OF_MEMBRANE, \
	    "Area of a valve through which the filling leaves or enters; 0: closed.") \
	ROW(filling_table, "filling_table", TABLE, "s", (0), 0, 1e7, "", OF_MEMBRANE, \
	    "A valve: points [time, amount of the filling over that at first]; linear between points. A leak acts as well.") \
	ROW(opening_table, "opening_table", TABLE, "s, m²", (0), 0, 1e7, "", OF_MEMBRANE, \
	    "Points [time, area] of the opening, in place of opening; linear between points. 1e-12 is closed.") \
	ROW(tear, "tear", FLOAT, "", (0), 0, 1e3, "", OF_MEMBRANE, \
	    "Stretch above which a triangle of the skin tears, and the filling leaves: rubber 6; 0: never. With yield_stretch also where its area is this squared of that at first.") \
	ROW(yield_stretch, "yield_stretch", FLOAT, "", (0), 0, 20, "", OF_MEMBRANE, \
	    "Stretch above which the skin flows: its rest lengths follow, and it gets thinner: foil of polyethylene 1.1, chewing gum 1.01; 0: never.") \
	ROW(skin_contact, "skin_contact", CHOICE, "", (OZ_SKIN_FACES), 0, OZ_SKIN_CONTACT_COUNT - 1, "faces points", OF_MEMBRANE, \
	    "What of it presses on other bodies: its points, and its faces where they are larger than the spacing; or points only, for comparison, through which fluids pass where the skin is stretched.")

#define OZ_SHAPE_ROWS(ROW) \
	ROW(kind, "shape", CHOICE, "", (OZ_SHAPE_BOX), 0, OZ_SHAPE_COUNT - 1, \
	    "plane box ball dome cylinder capsule torus sheet rod sdf", \
	    "Kind of shape. Round shapes and rods have the axis y; a sheet lies in the xz plane. A plane cannot be a body; sheets and rods can only be bodies.") \
	ROW(size, "size", VEC3, "m", (1, 1, 1), 0, 1e9, "", \
	    "Box: edges x, y, z. Ball, dome: radius. Cylinder, capsule: radius, height. Torus: radius of the ring, of the tube. Sheet: edges x, z. Rod: length. Plane: none.") \
	ROW(position, "position", VEC3, "m", (0, 0, 0), -1e9, 1e9, "", \
	    "Position of its centre; of a dome and a plane, of the flat side.") \
	ROW(rotation, "rotation", QUAT, "°", (0, 0, 0, 1), -1, 1, "", \
	    "Rotation about x, then y, then z, by these angles.")

#define OZ_BODY_ROWS(ROW) \
	ROW(name, "name", STRING, "", (0), 0, OZ_NAME_SIZE - 1, "", \
	    "Its name in exports and messages; empty: 'body' and its number.") \
	ROW(velocity, "velocity", VEC3, "m/s", (0, 0, 0), -1e5, 1e5, "", \
	    "Velocity at the start.") \
	ROW(spin, "spin", VEC3, "rad/s", (0, 0, 0), -1e5, 1e5, "", \
	    "Angular velocity at the start, about the mean of its particles.") \
	ROW(axis, "axis", VEC3, "", (0, 0, 0), -1e9, 1e9, "", \
	    "Of a rigid body: it only rotates, about this axis through its centre, as a wheel does; of any length. 0, 0, 0: it moves freely.") \
	ROW(loop, "loop", BOOL, "", (0), 0, 1, "", \
	    "Of a rigid body: repeat the keyframes from the first one after the last.") \
	ROW(temperature, "temperature", FLOAT, "°C", (20), -273.15, 1e6, "", \
	    "Temperature at the start.")

#define OZ_COLLIDER_ROWS(ROW) \
	ROW(inside, "inside", BOOL, "", (0), 0, 1, "", \
	    "The material is inside the shape (a vessel), not outside.") \
	ROW(shell, "shell", BOOL, "", (0), 0, 1, "", \
	    "Only the surface is solid: material may be on both sides of it.") \
	ROW(flat, "flat", BOOL, "", (0), 0, 1, "", \
	    "Each contact treats the collider as a plane, without its curvature and edges.") \
	ROW(load, "load", BOOL, "", (0), 0, 1, "", \
	    "Sum up the force and torque of the material on it, for oz_world_take_load of the library.") \
	ROW(friction, "friction", FLOAT, "", (0), 0, 100, "", \
	    "Coulomb's coefficient: 0 slides freely, and holds a liquid by its viscosity alone; honey that clings has 0.5.") \
	ROW(restitution, "restitution", FLOAT, "", (0), 0, 1, "", \
	    "Normal speed after an impact over that before; with less of it the wall also takes more of the bounce of an elastic solid.") \
	ROW(slip, "slip", BOOL, "", (0), 0, 1, "", \
	    "Fluids slide along it freely; otherwise their viscosity holds them to it (no slip).") \
	ROW(sticks, "sticks", BOOL, "", (1), 0, 1, "", \
	    "Sticky materials stick to it.") \
	ROW(contact_angle, "contact_angle", FLOAT, "°", (90), 0, 180, "", \
	    "Angle inside a liquid with surface_tension where its surface meets the collider: 20 on clean glass, 110 on wax.") \
	ROW(loop, "loop", BOOL, "", (0), 0, 1, "", \
	    "Repeat the keyframes from the first one after the last.")

#define OZ_EMITTER_ROWS(ROW) \
	ROW(position, "position", VEC3, "m", (0, 0, 0), -1e9, 1e9, "", \
	    "Centre of the opening.") \
	ROW(direction, "direction", VEC3, "", (0, -1, 0), -1e9, 1e9, "", \
	    "Direction of the jet; any length except zero.") \
	ROW(radius, "radius", FLOAT, "m", (0.05), 1e-6, 1e6, "", \
	    "Radius of a round opening.") \
	ROW(width, "width", FLOAT, "m", (0), 0, 1e6, "", \
	    "Width of a rectangular opening, horizontal; along x if the jet is vertical. 0: the opening is round.") \
	ROW(height, "height", FLOAT, "m", (0), 0, 1e6, "", \
	    "Height of a rectangular opening, at right angles to the jet and the width. 0: the opening is round.") \
	ROW(roll, "roll", FLOAT, "°", (0), -360, 360, "", \
	    "Rotation of a rectangular opening about the direction of the jet.") \
	ROW(speed, "speed", FLOAT, "m/s", (1), 1e-6, 1e5, "", \
	    "Speed of the jet at the opening.") \
	ROW(rate, "rate", FLOAT, "m³/s", (0), 0, 1e9, "", \
	    "Volume poured in each second; 0 means a full jet, area times speed.") \
	ROW(start, "start", FLOAT, "s", (0), 0, 1e9, "", \
	    "Time at which it begins to pour.") \
	ROW(duration, "duration", FLOAT, "s", (1e9), 0, 1e9, "", \
	    "Time for which it pours.") \
	ROW(temperature, "temperature", FLOAT, "°C", (20), -273.15, 1e6, "", \
	    "Temperature of the poured material.")

#define OZ_REGION_ROWS(ROW) \
	ROW(temperature, "temperature", FLOAT, "°C", (20), -273.15, 1e6, "", \
	    "Temperature that particles inside approach.") \
	ROW(rate, "rate", FLOAT, "1/s", (1), 0, 1e6, "", \
	    "Rate of approach: after 1/rate seconds 37 % of the difference are left. Latent heat slows it down.") \
	ROW(start, "start", FLOAT, "s", (0), 0, 1e9, "", \
	    "Time at which it begins to heat or cool.") \
	ROW(duration, "duration", FLOAT, "s", (1e9), 0, 1e9, "", \
	    "Time for which it heats or cools.")

#define OZ_ADHESION_ROWS(ROW) \
	ROW(sticks, "sticks", BOOL, "", (0), 0, 1, "", \
	    "Whether particles of the two materials stick to each other; left out, they do not.")

#define OZ_INTERFACE_ROWS(ROW) \
	ROW(tension, "tension", FLOAT, "N/m", (-1), -1, 10, "", \
	    "Tension between the two liquids: oil and water 0.03 to 0.05; 0: none; -1: the difference of both surface tensions (Antonow's rule).", \
	    "that of oil and water is 0.03 to 0.05 N/m")

#define OZ_HANDLE_ROWS(ROW) \
	ROW(release, "release", FLOAT, "s", (1e9), 0, 1e9, "", \
	    "Time at which it releases its particles.") \
	ROW(loop, "loop", BOOL, "", (0), 0, 1, "", \
	    "Repeat the keyframes from the first one after the last.")

#define OZ_KEYFRAME_ROWS(ROW) \
	ROW(time, "time", FLOAT, "s", (0), 0, 1e9, "", \
	    "Time of this pose; keyframes are in order of time.") \
	ROW(position, "position", VEC3, "m", (0, 0, 0), -1e9, 1e9, "", \
	    "Position at that time.") \
	ROW(rotation, "rotation", QUAT, "°", (0, 0, 0, 1), -1, 1, "", \
	    "Rotation at that time: about x, then y, then z. If an angle differs from the one before by 180° or more, the whole angle is rotated, as written.")

#define OZ_SURFACE_ROWS(ROW) \
	ROW(kind, "kind", CHOICE, "", (OZ_SURFACE_SMOOTH), 0, OZ_SURFACE_KIND_COUNT - 1, "density distance smooth", \
	    "Definition of the surface: by the smoothed density, by the distance from outer particles, or by a density with kernels flattened along the surface.") \
	ROW(cell, "cell", FLOAT, "spacings", (0.5), 0.05, 2, "", \
	    "Edge of a grid cell: half the edge gives four times the triangles.") \
	ROW(reach, "reach", FLOAT, "spacings", (2), 1.5, 4, "", \
	    "Radius of a particle's kernel: larger is smoother and closes gaps, smaller keeps detail.") \
	ROW(threshold, "threshold", FLOAT, "", (0.95), 0.1, 1.5, "", \
	    "Density over rest density below which a particle is on the surface; used by the kind distance.") \
	ROW(smoothing, "smoothing", UINT, "passes", (3), 0, 1000, "", \
	    "Passes of smoothing over the finished mesh; the volume is kept.") \
	ROW(specks, "specks", FLOAT, "particles", (0), 0, 1e9, "", \
	    "Pieces with less volume than this many particles are left out: 2 removes single drops.") \
	ROW(fit, "fit", FLOAT, "spacings", (0.5), 0, 4, "", \
	    "Vertices nearer to a wall than this move onto it, so that a liquid fits its vessel; 0 moves none.")
// clang-format on

#endif
