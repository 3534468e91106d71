// presets.c: known materials in SI units: how they look, and what they weigh and resist.
//
// Density and dynamic viscosity are typical handbook values at the temperature named; a paper is
// named where the numbers follow it. Natural products vary, and some thin under shear: theirs say
// "about" or give the range, and are taken as Newtonian. Damping is not measured: one value of ours
// for all liquids.
//
// Of blends only the density is a handbook's. α says how much of a fluid they are; the others are
// chosen by eye, for bodies of 10 to 30 particles across: how soon the shape comes back, how they
// calm down, and what push changes their shape for good.
#include <string.h>

#include "scene_data.h"

// no preset conducts heat or melts: the table's defaults
#define NO_HEAT                                                                                    \
	.heat_capacity = 4180.0f, .melting_point = OZ_NEVER_MELTS, .melting_range = 5.0f,          \
	.alpha_hot = 1.0f

// what a fluid has of a blend counts once a scene makes it one: the table's defaults
#define FLUID(title, rho, eta, text)                                                               \
	{title,                                                                                    \
	 text,                                                                                     \
	 {.name = title,                                                                           \
	  .model = OZ_FLUID,                                                                       \
	  .density = rho,                                                                          \
	  .viscosity = eta,                                                                        \
	  .damping = 0.05f,                                                                        \
	  .alpha = 0.5f,                                                                           \
	  .update_force = 60.0f,                                                                   \
	  .update_steps = 50,                                                                      \
	  .merges = true,                                                                          \
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
	  NO_HEAT}},

// clang-format off
static const oz_preset presets[] = {
	FLUID("water", 998.2f, 0.001002f,
	      "Clear, splashes at the least cause. At 20 °C: 998.2 kg/m³, 1.002 mPa·s; handbook values.")
	FLUID("seawater", 1024.8f, 0.00108f,
	      "As water, a little heavier. At 20 °C and 35 g/kg of salt: 1024.8 kg/m³, 1.08 mPa·s; viscosity by Sharqawy et al. 2010.")
	FLUID("ethanol", 789.2f, 0.0012f,
	      "Clear spirit, floats on water until they mix. At 20 °C: 789.2 kg/m³, 1.20 mPa·s; handbook values.")
	FLUID("acetone", 790.0f, 0.00032f,
	      "Clear, thinner than water, flows as if in haste. At 20 °C: 790 kg/m³, 0.32 mPa·s; handbook values.")
	FLUID("milk", 1030.0f, 0.002f,
	      "White, splashes almost as water does. Whole milk at 20 °C: about 1030 kg/m³, 2 mPa·s; viscosity by Bakshi and Smith 1984.")
	FLUID("blood", 1060.0f, 0.0035f,
	      "Dark red, a little thicker than milk. Whole blood at 37 °C in quick flow: about 1060 kg/m³, 3 to 4 mPa·s, more in slow flow; typical handbook values.")
	FLUID("egg white", 1035.0f, 0.05f,
	      "Pale, slides in a sheet. Beaten even, at room temperature: about 1035 kg/m³; it thins under shear, so 50 mPa·s is an order of magnitude only.")
	FLUID("oil", 913.0f, 0.084f,
	      "Golden, floats on water and pours without a sound. Olive oil at 20 °C: 911 to 916 kg/m³, about 84 mPa·s; typical handbook values.")
	FLUID("motor oil", 891.0f, 0.29f,
	      "Brown, pours slowly and coats what it meets. SAE 30 at 20 °C: about 891 kg/m³, 0.29 Pa·s, by brand up to half more or less; typical handbook values.")
	FLUID("castor oil", 961.0f, 0.985f,
	      "Pale, thick, folds a little where it lands. At 20 °C: about 961 kg/m³, 0.985 Pa·s; typical handbook values.")
	FLUID("glycerol", 1261.0f, 1.41f,
	      "Clear and syrupy, sinks in water. Free of water, at 20 °C: 1261 kg/m³ by Volk and Kähler 2018, 1.41 Pa·s by Cheng 2008.")
	FLUID("syrup", 1380.0f, 3.0f,
	      "Amber, piles up for a moment and spreads. Corn syrup at room temperature: 1370 to 1440 kg/m³, 1.4 to 5 Pa·s by its water; typical handbook values.")
	FLUID("honey", 1420.0f, 10.0f,
	      "Golden, coils and folds in ropes. With 17 to 18 % of water, at 20 °C: about 1420 kg/m³, 10 Pa·s, and twice that at 16 %; typical handbook values.")
	FLUID("molasses", 1400.0f, 10.0f,
	      "Almost black, creeps. At room temperature: 1350 to 1450 kg/m³, 5 to 10 Pa·s, more when cold; typical handbook values.")
	FLUID("lava", 2700.0f, 100.0f,
	      "Glowing, rolls over itself. Basalt at about 1,150 °C: 2600 to 2800 kg/m³, 10 to 1,000 Pa·s by its heat, crystals and bubbles, about 100 fresh from Mauna Loa.")
	FLUID("mercury", 13546.0f, 0.00155f,
	      "Mirror-bright, heavy enough to float iron. At 20 °C: 13546 kg/m³, 1.55 mPa·s; handbook values.")
	FLUID("liquid nitrogen", 806.0f, 0.00016f,
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
