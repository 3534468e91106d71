// presets.c: known materials in SI units: how they look, and what they weigh and resist.
//
// Density and dynamic viscosity are typical handbook values at the temperature named; a paper is
// named where the numbers follow it. Natural products vary, and some thin under shear: theirs say
// "about" or give the range, and are taken as Newtonian. Damping is not measured: one value of ours
// for all liquids. Nor is cohesion, which is chosen by eye: thick liquids hold threads and films of
// centimetres, thin ones break into drops.
//
// Of blends only the density is a handbook's. α says how much of a fluid they are; the others are
// chosen by eye, for bodies of 10 to 30 particles across: how soon the shape comes back, how they
// calm down, and what push changes their shape for good.
//
// Elastic solids have measured densities, moduli and Poisson's ratios, or the middle of a measured
// range; friction is that of dry surfaces. Ratios above 0.47 are taken as 0.47: nearer to 0.5 a
// body only gets harder to compute, not to see.
#include <string.h>

#include "scene_data.h"

// no preset conducts heat or melts: the table's defaults
// a Newtonian fluid: the table's defaults
#define NEWTON .flow_exponent = 1.0f, .creep_rate = 0.001f, .viscosity_temperature = 20.0f

#define NO_HEAT                                                                                    \
	.heat_capacity = 4180.0f, .melting_point = OZ_NEVER_MELTS, .melting_range = 5.0f,          \
	.alpha_hot = 1.0f

// what one model has of another counts once a scene makes it one: the table's defaults
#define LIKE_BLENDS .alpha = 0.5f, .update_force = 60.0f, .update_steps = 50, .merges = true
#define LIKE_SOLIDS                                                                                \
	.young_modulus = 1e5f, .poisson_ratio = 0.3f, .hourglass = 0.1f, .bending = 1.0f,          \
	.friction = 0.3f

#define FLUID(title, rho, eta, pull, text)                                                         \
	{title,                                                                                    \
	 text,                                                                                     \
	 {.name = title,                                                                           \
	  .model = OZ_FLUID,                                                                       \
	  .density = rho,                                                                          \
	  .viscosity = eta,                                                                        \
	  .damping = 0.05f,                                                                        \
	  .cohesion = pull,                                                                        \
	  NEWTON,                                                                                  \
	  LIKE_BLENDS,                                                                             \
	  LIKE_SOLIDS,                                                                             \
	  NO_HEAT}},

#define BLEND(title, a, rho, eta, calm, tau, push, text)                                           \
	{title,                                                                                    \
	 text,                                                                                     \
	 {.name = title,                                                                           \
	  .model = OZ_BLEND,                                                                       \
	  .density = rho,                                                                          \
	  .viscosity = eta,                                                                        \
	  .damping = calm,                                                                         \
	  .alpha = a,                                                                              \
	  .response = tau,                                                                         \
	  .update_force = push,                                                                    \
	  .update_steps = 50,                                                                      \
	  .merges = true,                                                                          \
	  NEWTON,                                                                                  \
	  LIKE_SOLIDS,                                                                             \
	  NO_HEAT}},

#define SOLID(title, rho, E, nu, mu, fold, solved, calm, text)                                     \
	{title,                                                                                    \
	 text,                                                                                     \
	 {.name = title,                                                                           \
	  .model = OZ_COROTATED,                                                                   \
	  .density = rho,                                                                          \
	  .viscosity = 0.001f,                                                                     \
	  .damping = calm,                                                                         \
	  LIKE_BLENDS,                                                                             \
	  .young_modulus = E,                                                                      \
	  .poisson_ratio = nu,                                                                     \
	  .hourglass = 0.1f,                                                                       \
	  .bending = fold,                                                                         \
	  .implicit = solved,                                                                      \
	  .friction = mu,                                                                          \
	  NEWTON,                                                                                  \
	  NO_HEAT}},

// clang-format off
static const oz_preset presets[] = {
	FLUID("water", 998.2f, 0.001002f, 50.0f,
	      "Clear, splashes at the least cause. At 20 °C: 998.2 kg/m³, 1.002 mPa·s; handbook values.")
	FLUID("seawater", 1024.8f, 0.00108f, 50.0f,
	      "As water, a little heavier. At 20 °C and 35 g/kg of salt: 1024.8 kg/m³, 1.08 mPa·s; viscosity by Sharqawy et al. 2010.")
	FLUID("ethanol", 789.2f, 0.0012f, 50.0f,
	      "Clear spirit, floats on water until they mix. At 20 °C: 789.2 kg/m³, 1.20 mPa·s; handbook values.")
	FLUID("acetone", 790.0f, 0.00032f, 50.0f,
	      "Clear, thinner than water, flows as if in haste. At 20 °C: 790 kg/m³, 0.32 mPa·s; handbook values.")
	FLUID("milk", 1030.0f, 0.002f, 50.0f,
	      "White, splashes almost as water does. Whole milk at 20 °C: about 1030 kg/m³, 2 mPa·s; viscosity by Bakshi and Smith 1984.")
	FLUID("blood", 1060.0f, 0.0035f, 50.0f,
	      "Dark red, a little thicker than milk. Whole blood at 37 °C in quick flow: about 1060 kg/m³, 3 to 4 mPa·s, more in slow flow; typical handbook values.")
	FLUID("egg white", 1035.0f, 0.05f, 200.0f,
	      "Pale, slides in a sheet. Beaten even, at room temperature: about 1035 kg/m³; it thins under shear, so 50 mPa·s is an order of magnitude only.")
	FLUID("oil", 913.0f, 0.084f, 200.0f,
	      "Golden, floats on water and pours without a sound. Olive oil at 20 °C: 911 to 916 kg/m³, about 84 mPa·s; typical handbook values.")
	FLUID("motor oil", 891.0f, 0.29f, 500.0f,
	      "Brown, pours slowly and coats what it meets. SAE 30 at 20 °C: about 891 kg/m³, 0.29 Pa·s, by brand up to half more or less; typical handbook values.")
	FLUID("castor oil", 961.0f, 0.985f, 500.0f,
	      "Pale, thick, folds a little where it lands. At 20 °C: about 961 kg/m³, 0.985 Pa·s; typical handbook values.")
	FLUID("glycerol", 1261.0f, 1.41f, 500.0f,
	      "Clear and syrupy, sinks in water. Free of water, at 20 °C: 1261 kg/m³ by Volk and Kähler 2018, 1.41 Pa·s by Cheng 2008.")
	FLUID("syrup", 1380.0f, 3.0f, 1000.0f,
	      "Amber, piles up for a moment and spreads. Corn syrup at room temperature: 1370 to 1440 kg/m³, 1.4 to 5 Pa·s by its water; typical handbook values.")
	FLUID("honey", 1420.0f, 10.0f, 1000.0f,
	      "Golden, coils and folds in ropes. With 17 to 18 % of water, at 20 °C: about 1420 kg/m³, 10 Pa·s, and twice that at 16 %; typical handbook values.")
	FLUID("molasses", 1400.0f, 10.0f, 1000.0f,
	      "Almost black, creeps. At room temperature: 1350 to 1450 kg/m³, 5 to 10 Pa·s, more when cold; typical handbook values.")
	FLUID("lava", 2700.0f, 100.0f, 2000.0f,
	      "Glowing, rolls over itself. Basalt at about 1,150 °C: 2600 to 2800 kg/m³, 10 to 1,000 Pa·s by its heat, crystals and bubbles, about 100 fresh from Mauna Loa.")
	FLUID("mercury", 13546.0f, 0.00155f, 50.0f,
	      "Mirror-bright, heavy enough to float iron. At 20 °C: 13546 kg/m³, 1.55 mPa·s; handbook values.")
	FLUID("liquid nitrogen", 806.0f, 0.00016f, 0.0f,
	      "Clear, thinner than any other here. Boiling at 77.4 K: 806 kg/m³, 0.16 mPa·s; handbook values.")
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
	SOLID("soft rubber", 950.0f, 1e6f, 0.47f, 0.8f, 1.0f, false, 0.05f,
	      "A rubber band or eraser: long stretches, always back. Natural rubber, unfilled: about 950 kg/m³, 1 to 2 MPa; Treloar 1975. Poisson's ratio is 0.4999, taken as 0.47.")
	SOLID("rubber duck", 350.0f, 2e5f, 0.4f, 0.5f, 1.0f, false, 0.05f,
	      "A hollow toy of soft vinyl as a solid of the same weight and about the same give: floats high. About 350 kg/m³ with its air; 0.2 MPa is an order of magnitude.")
	SOLID("firm gelatin", 1050.0f, 1e4f, 0.45f, 0.2f, 1.0f, false, 0.05f,
	      "Ballistic gelatin or a stiff pudding: quivers for a while, keeps its volume. 10 % by weight: about 1050 kg/m³, some 10 kPa in slow tests, up to ten times that in quick ones.")
	SOLID("foam", 60.0f, 3e4f, 0.1f, 0.6f, 1.0f, false, 0.1f,
	      "Upholstery: light, soft, hardly swells at the sides. Flexible polyurethane: 20 to 60 kg/m³, 20 to 100 kPa; typical handbook values. Cells that are crushed hardly swell, hence 0.1 for Poisson's ratio.")
	SOLID("cloth", 400.0f, 5e5f, 0.2f, 0.4f, 0.01f, true, 0.05f,
	      "For sheets: stretches little, folds at will. Woven cotton: about 400 kg/m³ with the air between its threads; it bends a hundred times easier than a plate, 0.5 MPa is softer than the threads.")
	SOLID("hard rubber", 1150.0f, 1e7f, 0.47f, 0.8f, 1.0f, true, 0.05f,
	      "A shoe heel or a car tyre's tread, for rods and bars that spring: gives way to much weight only. Filled with carbon black: about 1150 kg/m³, 5 to 50 MPa; typical handbook values. Solved implicitly.")
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
