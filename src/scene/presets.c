// presets.c: known materials in SI units: how they look, and what they weigh and resist.
//
// Density and dynamic viscosity are typical handbook values at the temperature named; a paper is
// named where the numbers follow it. Natural products vary: theirs say "about" or give the range.
// Damping is not measured: one value of ours for all liquids. Nor is cohesion, which is chosen by
// eye: thick liquids hold threads and films of centimetres, thin ones break into drops.
//
// Surface tensions are against air, at the temperature of the other values. Contact angles are
// those of water on a smooth, clean face, and hold for every liquid; 90° where none is known.
//
// Liquids that yield or thin under shear have a law (models/viscous/law.h). With Carreau's law
// `viscosity` is that at rest; with the law of Herschel and Bulkley it is K, what a rate of shear
// of 1/s adds to the yield stress, in Pa·sⁿ. Published yield stresses of one product differ by a
// factor of two and more, by recipe and by method. Those with an activation energy are thinner
// where it is warm, in worlds that have temperatures; in others they have the values of the
// temperature named.
//
// Of blends only the density is a handbook's. α says how much of a fluid they are; the others are
// chosen by eye, for bodies of 10 to 30 particles across: how soon the shape comes back, how they
// calm down, and what push changes their shape for good.
//
// Elastic solids have measured densities, moduli and Poisson's ratios, or the middle of a measured
// range; friction is that of dry surfaces. Ratios above 0.47 are taken as 0.47: nearer to 0.5 a
// body only gets harder to compute, not to see.
//
// Rigid bodies have a density and the friction of dry surfaces of the same material.
#include <string.h>

#include "scene_data.h"

// no preset conducts heat or melts: the table's defaults
#define NO_HEAT                                                                                    \
	.heat_capacity = 4180.0f, .melting_point = OZ_NEVER_MELTS, .melting_range = 5.0f,          \
	.alpha_hot = 1.0f

// a liquid has no contact angle: the table's default, should a scene make it a solid
#define PLAIN_FACE .contact_angle = 90.0f

// what one model has of another counts once a scene makes it one: the table's defaults
#define LIKE_BLENDS .alpha = 0.5f, .update_force = 60.0f, .update_steps = 50, .merges = true
#define LIKE_SOLIDS                                                                                \
	.young_modulus = 1e5f, .poisson_ratio = 0.3f, .hourglass = 1.0f, .bending = 1.0f,          \
	.friction = 0.3f

#define LIKE_LINKS                                                                                 \
	.shear_modulus = 300.0f, .relaxation_time = 2.0f, .extensibility = 2.0f, .sticky = 500.0f, \
	AS_PRINTED
#define AS_PRINTED                                                                                 \
	.link_reach = 1.0f, .link_correction = 0.001f, .link_least = 0.0001f,                      \
	.link_weakening = 0.001f, .link_yield = 1.01f

#define LIKE_MEMBRANES                                                                             \
	.thickness = 0.0003f, .prestretch = 1.0f, .outside_pressure = 101325.0f,                   \
	.bulk_modulus = 1e6f, .skin_damping = 0.001f

// the laws of viscosity; `activation`: J/mol, `at`: °C
#define LAW(n, activation, at)                                                                     \
	.flow_exponent = n, .creep_rate = 0.001f, .breakdown = 0.1f, .broken_share = 0.1f,         \
	.activation_energy = activation, .viscosity_temperature = at
#define NEWTON                    LAW(1.0f, 0.0f, 20.0f)
#define ARRHENIUS(activation, at) LAW(1.0f, activation, at)
#define BULKLEY(yield, n)         .yield_stress = yield, LAW(n, 0.0f, 20.0f)
#define CARREAU(time, n, fast)    .carreau_time = time, .fast_viscosity = fast, LAW(n, 0.0f, 20.0f)

// `...`: the law
#define THICK(title, rho, eta, pull, sigma, text, ...)                                             \
	{title,                                                                                    \
	 text,                                                                                     \
	 {.name = title,                                                                           \
	  .model = OZ_FLUID,                                                                       \
	  .density = rho,                                                                          \
	  .surface_tension = sigma,                                                                \
	  PLAIN_FACE,                                                                              \
	  .viscosity = eta,                                                                        \
	  .damping = 0.05f,                                                                        \
	  .cohesion = pull,                                                                        \
	  __VA_ARGS__,                                                                             \
	  LIKE_BLENDS,                                                                             \
	  LIKE_SOLIDS,                                                                             \
	  LIKE_LINKS,                                                                              \
	  LIKE_MEMBRANES,                                                                          \
	  NO_HEAT}},

#define FLUID(title, rho, eta, pull, sigma, text) THICK(title, rho, eta, pull, sigma, text, NEWTON)

#define BLEND(title, a, rho, eta, calm, tau, push, text)                                           \
	{title,                                                                                    \
	 text,                                                                                     \
	 {.name = title,                                                                           \
	  .model = OZ_BLEND,                                                                       \
	  .density = rho,                                                                          \
	  PLAIN_FACE,                                                                              \
	  .viscosity = eta,                                                                        \
	  .damping = calm,                                                                         \
	  .alpha = a,                                                                              \
	  .response = tau,                                                                         \
	  .update_force = push,                                                                    \
	  .update_steps = 50,                                                                      \
	  .merges = true,                                                                          \
	  NEWTON,                                                                                  \
	  LIKE_SOLIDS,                                                                             \
	  LIKE_LINKS,                                                                              \
	  LIKE_MEMBRANES,                                                                          \
	  NO_HEAT}},

#define SOLID(title, rho, E, nu, mu, fold, solved, calm, angle, text)                              \
	{title,                                                                                    \
	 text,                                                                                     \
	 {.name = title,                                                                           \
	  .model = OZ_COROTATED,                                                                   \
	  .density = rho,                                                                          \
	  .contact_angle = angle,                                                                  \
	  .viscosity = 0.001f,                                                                     \
	  .damping = calm,                                                                         \
	  LIKE_BLENDS,                                                                             \
	  .young_modulus = E,                                                                      \
	  .poisson_ratio = nu,                                                                     \
	  .hourglass = 1.0f,                                                                       \
	  .bending = fold,                                                                         \
	  .implicit = solved,                                                                      \
	  .friction = mu,                                                                          \
	  NEWTON,                                                                                  \
	  LIKE_LINKS,                                                                              \
	  LIKE_MEMBRANES,                                                                          \
	  NO_HEAT}},

#define RIGID(title, rho, mu, angle, text)                                                         \
	{title,                                                                                    \
	 text,                                                                                     \
	 {.name = title,                                                                           \
	  .model = OZ_RIGID,                                                                       \
	  .density = rho,                                                                          \
	  .contact_angle = angle,                                                                  \
	  .viscosity = 0.001f,                                                                     \
	  .damping = 0.05f,                                                                        \
	  LIKE_BLENDS,                                                                             \
	  .young_modulus = 1e5f,                                                                   \
	  .poisson_ratio = 0.3f,                                                                   \
	  .hourglass = 1.0f,                                                                       \
	  .bending = 1.0f,                                                                         \
	  .friction = mu,                                                                          \
	  NEWTON,                                                                                  \
	  LIKE_LINKS,                                                                              \
	  LIKE_MEMBRANES,                                                                          \
	  NO_HEAT}},

// G: Pa, tau: s, `yield`: strain, `far`: support radii, `stick`: Pa
#define LINKS(title, rho, eta, G, pull, tau, yield, far, stick, sigma, text)                       \
	{title,                                                                                    \
	 text,                                                                                     \
	 {.name = title,                                                                           \
	  .model = OZ_LINKS,                                                                       \
	  .density = rho,                                                                          \
	  .surface_tension = sigma,                                                                \
	  PLAIN_FACE,                                                                              \
	  .viscosity = eta,                                                                        \
	  .damping = 0.05f,                                                                        \
	  .cohesion = pull, /* 2 G keeps voids from opening; silly putty, which tears, has none */ \
	  .shear_modulus = G,                                                                      \
	  .relaxation_time = tau,                                                                  \
	  .yield_strain = yield,                                                                   \
	  .extensibility = far,                                                                    \
	  .sticky = stick,                                                                         \
	  LIKE_MEMBRANES,                                                                          \
	  AS_PRINTED,                                                                              \
	  LIKE_BLENDS,                                                                             \
	  LIKE_SOLIDS,                                                                             \
	  NEWTON,                                                                                  \
	  NO_HEAT}},

// G: Pa, tau: s, `pull`: Pa
#define POLYMER(title, rho, eta, G, tau, law, alpha_G, pull, sigma, text)                          \
	{title,                                                                                    \
	 text,                                                                                     \
	 {.name = title,                                                                           \
	  .model = OZ_POLYMER,                                                                     \
	  .density = rho,                                                                          \
	  .surface_tension = sigma,                                                                \
	  PLAIN_FACE,                                                                              \
	  .viscosity = eta,                                                                        \
	  .damping = 0.05f,                                                                        \
	  .cohesion = pull,                                                                        \
	  .shear_modulus = G,                                                                      \
	  .relaxation_time = tau,                                                                  \
	  .polymer_law = law,                                                                      \
	  .mobility = alpha_G,                                                                     \
	  .extensibility = 2.0f,                                                                   \
	  .sticky = 500.0f,                                                                        \
	  AS_PRINTED,                                                                              \
	  LIKE_BLENDS,                                                                             \
	  LIKE_SOLIDS,                                                                             \
	  NEWTON,                                                                                  \
	  LIKE_MEMBRANES,                                                                          \
	  NO_HEAT}},

// E: Pa, t: m, `stretch`: prestretch, P: Pa
#define MEMBRANE(title, rho, E, nu, t, stretch, way, what, P, angle, text)                         \
	{title,                                                                                    \
	 text,                                                                                     \
	 {.name = title,                                                                           \
	  .model = OZ_MEMBRANE,                                                                    \
	  .density = rho,                                                                          \
	  .contact_angle = angle,                                                                  \
	  .damping = 0.05f,                                                                        \
	  .young_modulus = E,                                                                      \
	  .poisson_ratio = nu,                                                                     \
	  .hourglass = 1.0f,                                                                       \
	  .bending = 1.0f,                                                                         \
	  .friction = 0.4f,                                                                        \
	  .thickness = t,                                                                          \
	  .prestretch = stretch,                                                                   \
	  .skin_law = way,                                                                         \
	  .filling = what,                                                                         \
	  .gauge_pressure = P,                                                                     \
	  .outside_pressure = 101325.0f,                                                           \
	  .bulk_modulus = 1e6f,                                                                    \
	  .filling_density = 1000.0f,                                                              \
	  .skin_damping = 0.001f,                                                                  \
	  LIKE_BLENDS,                                                                             \
	  NEWTON,                                                                                  \
	  LIKE_LINKS,                                                                              \
	  NO_HEAT}},

// clang-format off
static const oz_preset presets[] = {
	FLUID("water", 998.2f, 0.001002f, 50.0f, 0.0728f,
	      "Clear, splashes at the least cause. At 20 °C: 998.2 kg/m³, 1.002 mPa·s; handbook values. Surface tension by Vargaftik et al. 1983.")
	FLUID("seawater", 1024.8f, 0.00108f, 50.0f, 0.0737f,
	      "As water, a little heavier. At 20 °C and 35 g/kg of salt: 1024.8 kg/m³, 1.08 mPa·s; viscosity by Sharqawy et al. 2010. Surface tension by Nayar et al. 2014.")
	FLUID("ethanol", 789.2f, 0.0012f, 50.0f, 0.0223f,
	      "Clear spirit, floats on water until they mix. At 20 °C: 789.2 kg/m³, 1.20 mPa·s; handbook values. Surface tension: handbook value.")
	FLUID("acetone", 790.0f, 0.00032f, 50.0f, 0.0237f,
	      "Clear, thinner than water, flows as if in haste. At 20 °C: 790 kg/m³, 0.32 mPa·s; handbook values. Surface tension: handbook value.")
	FLUID("milk", 1030.0f, 0.002f, 50.0f, 0.046f,
	      "White, splashes almost as water does. Whole milk at 20 °C: about 1030 kg/m³, 2 mPa·s; viscosity by Bakshi and Smith 1984. Surface tension by Bertsch 1983.")
	THICK("blood", 1060.0f, 0.056f, 50.0f, 0.056f,
	      "Dark red, a little thicker than milk where it flows quickly. Whole blood at 37 °C: about 1060 kg/m³; Carreau's law with the values of Cho and Kensey 1991, 56 mPa·s at rest, 3.45 mPa·s in quick flow. Surface tension by Rosina et al. 2007.",
	      CARREAU(3.313f, 0.3568f, 0.00345f))
	THICK("egg white", 1035.0f, 0.2f, 200.0f, 0.05f,
	      "Pale, slides in a sheet. Beaten even, at room temperature: about 1035 kg/m³; Carreau's law with 0.2 Pa·s at rest, 50 mPa·s at 10/s and 5 mPa·s in quick flow, an order of magnitude only. Surface tension: order of magnitude.",
	      CARREAU(1.0f, 0.4f, 0.005f))
	FLUID("oil", 913.0f, 0.084f, 200.0f, 0.032f,
	      "Golden, floats on water and pours without a sound. Olive oil at 20 °C: 911 to 916 kg/m³, about 84 mPa·s; typical handbook values. Surface tension: typical value.")
	FLUID("motor oil", 891.0f, 0.29f, 500.0f, 0.031f,
	      "Brown, pours slowly and coats what it meets. SAE 30 at 20 °C: about 891 kg/m³, 0.29 Pa·s, by brand up to half more or less; typical handbook values. Surface tension: typical value.")
	FLUID("castor oil", 961.0f, 0.985f, 500.0f, 0.0355f,
	      "Pale, thick, folds a little where it lands. At 20 °C: about 961 kg/m³, 0.985 Pa·s; typical handbook values. Surface tension: typical value.")
	FLUID("glycerol", 1261.0f, 1.41f, 500.0f, 0.0634f,
	      "Clear and syrupy, sinks in water. Free of water, at 20 °C: 1261 kg/m³ by Volk and Kähler 2018, 1.41 Pa·s by Cheng 2008. Surface tension: handbook value.")
	FLUID("syrup", 1380.0f, 3.0f, 1000.0f, 0.08f,
	      "Amber, piles up for a moment and spreads. Corn syrup at room temperature: 1370 to 1440 kg/m³, 1.4 to 5 Pa·s by its water; typical handbook values. Surface tension: typical value.")
	THICK("paint", 1350.0f, 5.0f, 500.0f, 0.035f,
	      "Opaque, keeps brush marks for a moment. Wall paint at room temperature: 1200 to 1500 kg/m³, a yield stress of 1 to 10 Pa, K 5 Pa·sⁿ, n 0.55; an order of magnitude. Surface tension: order of magnitude.",
	      BULKLEY(3.0f, 0.55f))
	THICK("honey", 1420.0f, 10.0f, 1000.0f, 0.06f,
	      "Golden, coils and folds in ropes. With 17 to 18 % of water, at 20 °C: about 1420 kg/m³, 10 Pa·s, and twice that at 16 %; typical handbook values. Activation energy 92 kJ/mol; Juszczak and Fortuna 2006 found 92 to 105. Surface tension: typical value.",
	      ARRHENIUS(9.2e4f, 20.0f))
	FLUID("molasses", 1400.0f, 10.0f, 1000.0f, 0.05f,
	      "Almost black, creeps. At room temperature: 1350 to 1450 kg/m³, 5 to 10 Pa·s, more when cold; typical handbook values. Surface tension: order of magnitude.")
	THICK("yoghurt", 1040.0f, 3.0f, 500.0f, 0.045f,
	      "White, falls off a spoon in soft heaps. Stirred, from the fridge: about 1040 kg/m³, a yield stress of 10 to 34 Pa by Yoon 2009; K 3 Pa·sⁿ and n 0.6 are an order of magnitude. It thins with time as well, which is left out. Surface tension: about that of milk.",
	      BULKLEY(15.0f, 0.6f))
	THICK("chocolate", 1270.0f, 8.2f, 1000.0f, 0.03f,
	      "Brown and glossy, runs in thick folds. Milk chocolate, melted, at 40 °C: about 1270 kg/m³. Casson's law with 10 Pa and 2 Pa·s, typical values, is met within 5 % from 0.1 to 100/s; activation energy 35 kJ/mol, Lee 2024 found 33 to 40 for dark chocolate. Surface tension: order of magnitude.",
	      .yield_stress = 12.0f, LAW(0.76f, 3.5e4f, 40.0f))
	THICK("ketchup", 1140.0f, 10.0f, 500.0f, 0.05f,
	      "Red, stays in the bottle until it is struck, then runs. At room temperature: about 1140 kg/m³, a yield stress of 10 to 50 Pa, K 10 Pa·sⁿ, n 0.25 to 0.4; typical values. Surface tension: order of magnitude.",
	      BULKLEY(15.0f, 0.35f))
	THICK("mustard", 1060.0f, 18.0f, 500.0f, 0.05f,
	      "Yellow, leaves the tube as a strand that stays. At room temperature: about 1060 kg/m³, a yield stress of 30 to 60 Pa, K 18 Pa·sⁿ, n about 0.4; typical values. Surface tension: order of magnitude.",
	      BULKLEY(35.0f, 0.4f))
	THICK("mud", 1600.0f, 5.0f, 500.0f, 0.07f,
	      "Brown, creeps down a slope and stops. Clay, silt and water, 36 % solid by volume: about 1600 kg/m³, 50 Pa and 5 Pa·s, an order of magnitude: both grow a thousandfold from 10 to 40 % (O'Brien and Julien 1988). Surface tension: about that of water.",
	      BULKLEY(50.0f, 1.0f))
	THICK("lava", 2700.0f, 100.0f, 2000.0f, 0.35f,
	      "Glowing, rolls over itself. Basalt at 1,150 °C: 2600 to 2800 kg/m³, 10 to 1,000 Pa·s by its heat, crystals and bubbles, about 100 fresh from Mauna Loa; an activation energy of 200 kJ/mol is an order of magnitude. In a world with temperatures its bodies need theirs. Surface tension by Walker and Mullins 1981.",
	      ARRHENIUS(2e5f, 1150.0f))
	THICK("hand cream", 980.0f, 40.0f, 1000.0f, 0.03f,
	      "White, keeps the form of the finger, spreads under it. At room temperature: about 980 kg/m³, a yield stress of 20 to 200 Pa, K 40 Pa·sⁿ, n 0.35; an order of magnitude. Surface tension: order of magnitude.",
	      BULKLEY(60.0f, 0.35f))
	THICK("mayonnaise", 930.0f, 30.0f, 1000.0f, 0.035f,
	      "Pale yellow, stands in peaks. With 80 % of oil, at room temperature: 910 to 950 kg/m³, a yield stress of 50 to 150 Pa, K 30 Pa·sⁿ, n 0.3 to 0.6; typical values. Surface tension: order of magnitude.",
	      BULKLEY(100.0f, 0.4f))
	THICK("fresh concrete", 2400.0f, 50.0f, 1000.0f, 0.07f,
	      "Grey, slumps to a flat heap and stays. As it is pumped: 2300 to 2450 kg/m³, Bingham's law with 500 to 2,000 Pa and 20 to 100 Pa·s by its water, less if it levels itself; typical handbook values. Surface tension: about that of water.",
	      BULKLEY(700.0f, 1.0f))
	FLUID("mercury", 13546.0f, 0.00155f, 50.0f, 0.485f,
	      "Mirror-bright, heavy enough to float iron. At 20 °C: 13546 kg/m³, 1.55 mPa·s; handbook values. Surface tension: handbook value.")
	FLUID("liquid nitrogen", 806.0f, 0.00016f, 0.0f, 0.00885f,
	      "Clear, thinner than any other here. Boiling at 77.4 K: 806 kg/m³, 0.16 mPa·s; handbook values. Surface tension: handbook value.")
	BLEND("rubber", 0.0f, 1100.0f, 2.0f, 0.5f, 0.0f, 1e9f,
	      "A bouncing ball: gives way, springs back, never keeps a dent. α 0, about 1100 kg/m³, as stiff as the speed of sound allows.")
	BLEND("gummi", 0.15f, 1300.0f, 5.0f, 0.1f, 0.001f, 1e6f,
	      "Clear sweets, tough: gives way and is back at once. α 0.15, about 1300 kg/m³.")
	BLEND("gelatin", 0.25f, 1040.0f, 1.0f, 0.05f, 0.0015f, 2000.0f,
	      "Clear and wobbly, a firm pudding that holds its edges. α 0.25, about 1040 kg/m³.")
	BLEND("jelly", 0.3f, 1050.0f, 1.0f, 0.05f, 0.002f, 1000.0f,
	      "Clear, sags a little and wobbles for a second after every knock. α 0.3, about 1050 kg/m³.")
	BLEND("marshmallow", 0.4f, 300.0f, 5.0f, 0.1f, 0.002f, 5000.0f,
	      "Light and dull, gives way to a finger and rises again without a shake. α 0.4, about 300 kg/m³ with its air.")
	BLEND("dough", 0.5f, 1100.0f, 20.0f, 0.1f, 0.003f, 60.0f,
	      "Dull and soft: keeps what it was pressed into. α 0.5, about 1100 kg/m³.")
	BLEND("clay", 0.6f, 1800.0f, 30.0f, 0.2f, 0.002f, 30.0f,
	      "Dull and heavy, keeps every dent, does not spring. α 0.6, about 1800 kg/m³ when wet.")
	BLEND("chewing gum", 0.65f, 1200.0f, 20.0f, 0.1f, 0.004f, 100.0f,
	      "Glossy and slow, sinks into a flat lump, sticks to itself. α 0.65, about 1200 kg/m³.")
	BLEND("toothpaste", 0.7f, 1300.0f, 10.0f, 0.05f, 0.003f, 60.0f,
	      "Glossy, lies in a round heap with soft edges and stays so. α 0.7, about 1300 kg/m³.")
	BLEND("shaving foam", 0.8f, 100.0f, 1.0f, 0.05f, 0.003f, 60.0f,
	      "White and light as air, stands in peaks. α 0.8, about 100 kg/m³ with its gas.")
	BLEND("cream", 0.9f, 500.0f, 1.0f, 0.05f, 0.003f, 60.0f,
	      "Whipped: splits on an edge, flows together again, its heap stays soft. α 0.9, about 500 kg/m³ with its air.")
	BLEND("custard", 0.95f, 1080.0f, 2.0f, 0.05f, 0.004f, 40.0f,
	      "Pours, and quivers a little where it lies. α 0.95, about 1080 kg/m³.")
	SOLID("soft rubber", 950.0f, 1e6f, 0.47f, 0.8f, 1.0f, false, 0.05f, 105.0f,
	      "A rubber band or eraser: long stretches, always back. Natural rubber, unfilled: about 950 kg/m³, 1 to 2 MPa; Treloar 1975. Poisson's ratio is 0.4999, taken as 0.47. Contact angle of water: typical value.")
	SOLID("rubber duck", 350.0f, 2e5f, 0.4f, 0.5f, 1.0f, false, 0.05f, 87.0f,
	      "A hollow toy of soft vinyl as a solid of the same weight and about the same give: floats high. About 350 kg/m³ with its air; 0.2 MPa is an order of magnitude. Contact angle of water: that of PVC.")
	SOLID("firm gelatin", 1050.0f, 1e4f, 0.45f, 0.2f, 1.0f, false, 0.05f, 90.0f,
	      "Ballistic gelatin or a stiff pudding: quivers for a while, keeps its volume. 10 % by weight: about 1050 kg/m³, some 10 kPa in slow tests, up to ten times that in quick ones.")
	SOLID("foam", 60.0f, 3e4f, 0.1f, 0.6f, 1.0f, false, 0.1f, 90.0f,
	      "Upholstery: light, soft, hardly swells at the sides. Flexible polyurethane: 20 to 60 kg/m³, 20 to 100 kPa; typical handbook values. Cells that are crushed hardly swell, hence 0.1 for Poisson's ratio.")
	SOLID("cloth", 400.0f, 5e5f, 0.2f, 0.4f, 0.01f, true, 0.05f, 90.0f,
	      "For sheets: stretches little, folds at will. Woven cotton: about 400 kg/m³ with the air between its threads; it bends a hundred times easier than a plate, 0.5 MPa is softer than the threads.")
	SOLID("hard rubber", 1150.0f, 1e7f, 0.47f, 0.8f, 1.0f, true, 0.05f, 105.0f,
	      "A shoe heel or a car tyre's tread, for rods and bars that spring: gives way to much weight only. Filled with carbon black: about 1150 kg/m³, 5 to 50 MPa; typical handbook values. Solved implicitly. Contact angle of water: typical value.")
	LINKS("slime", 1020.0f, 0.5f, 300.0f, 600.0f, 0.6f, 0.0f, 3.0f, 1000.0f, 0.05f,
	      "Green, stretches into sheets and threads, sags into a puddle within seconds. Poly(vinyl alcohol) with borax has 100 to 2000 Pa and 0.1 to 2 s by its recipe; orders of magnitude. Surface tension: order of magnitude.")
	LINKS("raw egg white", 1035.0f, 0.02f, 5.0f, 10.0f, 0.1f, 0.0f, 3.0f, 20.0f, 0.05f,
	      "Clear, pulls strings and recoils. Thick albumen: a few pascals, tenths of a second; orders of magnitude. Surface tension: order of magnitude.")
	LINKS("mucus", 1005.0f, 0.05f, 10.0f, 20.0f, 5.0f, 0.0f, 3.0f, 100.0f, 0.05f,
	      "Clear, drips in long strings that hang. 1 to 100 Pa; orders of magnitude. Surface tension: order of magnitude.")
	LINKS("school glue", 1050.0f, 3.0f, 50.0f, 100.0f, 0.2f, 0.0f, 3.0f, 2000.0f, 0.04f,
	      "White, sticks to all it touches. A thick dispersion of poly(vinyl acetate) before it dries; orders of magnitude. Surface tension: order of magnitude.")
	LINKS("melted cheese", 1080.0f, 20.0f, 1000.0f, 2000.0f, 1.0f, 0.0f, 4.0f, 5000.0f, 0.03f,
	      "Yellow, pulls long strings, sticks to bread. Mozzarella at 60 °C: about 1000 Pa, tenths of a second to seconds; orders of magnitude. Surface tension: order of magnitude.")
	LINKS("bread dough", 1200.0f, 50.0f, 3000.0f, 6000.0f, 10.0f, 0.02f, 2.5f, 500.0f, 0.04f,
	      "Beige, springs back when poked, sags over a minute. Wheat dough: 1 to 10 kPa; orders of magnitude. Surface tension: order of magnitude.")
	LINKS("silly putty", 1150.0f, 1.0f, 20000.0f, 0.0f, 0.3f, 0.0f, 1.3f, 20000.0f, 0.021f,
	      "Pink, bounces when thrown, spreads when left, tears when jerked. Silicone with boric acid: 1e4 to 2e5 Pa, tenths of a second; orders of magnitude. Surface tension: that of silicone.")
	LINKS("bubble gum", 1150.0f, 100.0f, 10000.0f, 20000.0f, 3.0f, 0.0f, 4.0f, 100000.0f, 0.03f,
	      "Pink, stretches thin and stays so. Chewed gum base, 1e4 Pa at one second after Martinetti et al. 2014, falling by a power of time; one relaxation time stands for all. Surface tension: order of magnitude.")
	POLYMER("boger fluid", 880.0f, 30.0f, 8.0f, 2.0f, OZ_POLYMER_OLDROYD, 0.0f, 200.0f, 0.03f,
	        "Amber, as thick as syrup and springy: its threads stay long and thin and it climbs a stirring rod. 0.3 % of polyisobutylene in polybutene: about 880 kg/m³, a viscosity of 30 to 50 Pa·s that does not depend on the rate of shear, seconds, after Boger and Binnington 1977 and Quinzani et al. 1990; orders of magnitude. Surface tension: order of magnitude.")
	POLYMER("polyox solution", 1000.0f, 0.02f, 5.0f, 0.2f, OZ_POLYMER_GIESEKUS, 0.2f, 50.0f, 0.062f,
	        "Clear, a tubeless siphon and long threads. 1 % of poly(ethylene oxide) of 4e6 g/mol in water: 1 Pa·s at rest, tenths of a second; orders of magnitude. Surface tension: typical value.")
	POLYMER("shampoo", 1030.0f, 0.1f, 150.0f, 0.04f, OZ_POLYMER_GIESEKUS, 0.3f, 100.0f, 0.03f,
	        "Pearly, bounces a little where it is poured. Threadlike micelles: 3 to 10 Pa·s at rest, 100 to 300 Pa, hundredths of a second; orders of magnitude. Surface tension: typical value.")
	MEMBRANE("party balloon", 950.0f, 1e6f, 0.49f, 0.00025f, 3.0f, OZ_SKIN_RUBBER, OZ_FILLING_GAS, 2000.0f, 105.0f,
	      "Blown up to three times its size; at a radius of 14 cm it is at rest. Latex of 0.25 mm and about 1 MPa, 2 to 3 kPa inside; orders of magnitude. Contact angle of water: that of rubber.")
	MEMBRANE("beach ball", 1300.0f, 1e7f, 0.4f, 0.0003f, 1.0f, OZ_SKIN_LINEAR, OZ_FILLING_GAS, 3000.0f, 87.0f,
	      "Light and bouncy, floats on top. Soft PVC foil of 0.2 to 0.4 mm, 5 to 20 MPa; orders of magnitude. Contact angle of water: that of PVC.")
	MEMBRANE("car tyre tube", 1150.0f, 3e6f, 0.49f, 0.002f, 1.0f, OZ_SKIN_LINEAR, OZ_FILLING_GAS, 5000.0f, 112.0f,
	      "A ring to sit on in the water, for a torus. Butyl rubber of 2 mm, 2 to 5 MPa; orders of magnitude. Contact angle of water: that of polyisobutylene.")
	MEMBRANE("water balloon", 950.0f, 1e6f, 0.49f, 0.0003f, 1.5f, OZ_SKIN_RUBBER, OZ_FILLING_NONE, 0.0f, 105.0f,
	      "Holds nothing by itself: put a body of water inside. Latex of 0.3 mm; orders of magnitude. Contact angle of water: that of rubber.")
	MEMBRANE("soap bag", 1000.0f, 600.0f, 0.3f, 0.0001f, 1.0f, OZ_SKIN_LINEAR, OZ_FILLING_GAS, 5.0f, 90.0f,
	      "Wobbles like a soap bubble, but is a hundred times thicker. Its tension of 0.06 N/m is that of the two sides of a soap film; orders of magnitude.")
	MEMBRANE("jellyfish bell", 1030.0f, 1000.0f, 0.45f, 0.003f, 1.0f, OZ_SKIN_LINEAR, OZ_FILLING_NONE, 0.0f, 90.0f,
	      "Limp and as heavy as water, for bodies in water with water inside. Mesoglea: some hundred to thousand pascals; orders of magnitude.")
	MEMBRANE("cell", 1050.0f, 3000.0f, 0.45f, 0.001f, 1.0f, OZ_SKIN_LINEAR, OZ_FILLING_LIQUID, 0.0f, 90.0f,
	      "Keeps its volume and squeezes through narrow places: a living cell seen ten thousand times larger. Cortex of some kilopascals; orders of magnitude.")
	RIGID("wood", 510.0f, 0.4f, 60.0f,
	      "Brown, floats half out of water. Scots pine dried in air, 12 % of water: 470 to 550 kg/m³; friction on wood 0.25 to 0.5; typical handbook values. Contact angle of water: 50° to 70°, fresh.")
	RIGID("cork", 170.0f, 0.5f, 84.0f,
	      "Light brown, floats high. About 170 kg/m³ by Gibson, Easterling and Ashby 1981, 120 to 240 by its growth; a friction of 0.5 is an order of magnitude. Contact angle of water by Gomes et al. 1993.")
	RIGID("styrofoam", 30.0f, 0.5f, 87.0f,
	      "White, lies on water. Polystyrene foam: 15 to 45 kg/m³, typical handbook values; a friction of 0.5 is an order of magnitude. Contact angle of water: that of polystyrene.")
	RIGID("ice block", 916.7f, 0.05f, 12.0f,
	      "Clear, floats with a twelfth above water. At 0 °C: 916.7 kg/m³, a handbook value; friction on ice 0.02 to 0.1. It does not melt. Contact angle of water by Knight 1967.")
	RIGID("stone", 2650.0f, 0.65f, 50.0f,
	      "Grey and dull, sinks. Granite: 2600 to 2700 kg/m³, typical handbook values; friction 0.6 to 0.85 by Byerlee 1978. Contact angle of water: order of magnitude.")
	RIGID("steel", 7850.0f, 0.6f, 70.0f,
	      "Grey and glossy, sinks at once. Carbon steel at 20 °C: 7850 kg/m³; friction on dry steel 0.5 to 0.8; handbook values. Contact angle of water: typical value.")
};
// clang-format on

const oz_preset *oz_presets(uint32_t *count)
{
	if (count)
		*count = sizeof presets / sizeof presets[0];
	return presets;
}

const oz_preset *oz_preset_find(const char *name)
{
	for (size_t i = 0; i < sizeof presets / sizeof presets[0]; i++)
		if (strcmp(presets[i].name, name) == 0)
			return &presets[i];
	return NULL;
}
