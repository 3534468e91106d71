// presets.c: known liquids with measured values in SI units, and where the values come from.
//
// Density and dynamic viscosity are taken at the temperature named; natural products vary, so
// theirs are typical values within the published range. Damping is ours: it grows with viscosity
// no further than the noise of impacts asks for.
#include <string.h>

#include "scene_data.h"

#define FLUID(title, rho, eta, text)                                                               \
	{title,                                                                                    \
	 text,                                                                                     \
	 {.name = title, .model = OZ_FLUID, .density = rho, .viscosity = eta, .damping = 0.05f}},

// clang-format off
static const oz_preset presets[] = {
	FLUID("water", 998.2f, 0.001002f,
	      "Clear, splashes at the least cause. At 20 °C: 998.2 kg/m³, 1.002 mPa·s; CRC Handbook of Chemistry and Physics.")
	FLUID("seawater", 1024.8f, 0.00108f,
	      "As water, a little heavier. At 20 °C and 35 g/kg of salt: 1024.8 kg/m³, 1.08 mPa·s; Sharqawy et al. 2010.")
	FLUID("ethanol", 789.3f, 0.0012f,
	      "Clear spirit, floats on water until they mix. At 20 °C: 789.3 kg/m³, 1.20 mPa·s; CRC Handbook.")
	FLUID("acetone", 790.0f, 0.00032f,
	      "Thinner than water, flows as if in haste. At 20 °C: 790 kg/m³, 0.32 mPa·s; CRC Handbook.")
	FLUID("milk", 1030.0f, 0.002f,
	      "White, splashes almost as water does. Whole milk at 20 °C: 1030 kg/m³, 2.0 mPa·s; Walstra et al., Dairy Science and Technology.")
	FLUID("blood", 1060.0f, 0.0035f,
	      "Dark red, a little thicker than milk. Whole blood at 37 °C and high shear: 1060 kg/m³, 3.5 mPa·s; Pries et al. 1992.")
	FLUID("egg white", 1035.0f, 0.05f,
	      "Pale, slides in a sheet. Fresh, homogenised, taken as Newtonian: 1035 kg/m³, about 50 mPa·s; Lang and Rha 1982, order of magnitude.")
	FLUID("oil", 915.0f, 0.084f,
	      "Golden, floats on water and pours without a sound. Olive oil at 20 °C: 915 kg/m³, 84 mPa·s; CRC Handbook.")
	FLUID("motor oil", 891.0f, 0.29f,
	      "Brown, pours slowly and coats what it meets. SAE 30 at 20 °C: 891 kg/m³, 0.29 Pa·s; White, Fluid Mechanics.")
	FLUID("castor oil", 961.0f, 0.985f,
	      "Pale, thick, folds a little where it lands. At 20 °C: 961 kg/m³, 0.985 Pa·s; CRC Handbook.")
	FLUID("glycerol", 1261.3f, 1.41f,
	      "Clear and syrupy, sinks in water. At 20 °C: 1261.3 kg/m³, 1.41 Pa·s; Segur and Oberstar 1951.")
	FLUID("syrup", 1370.0f, 3.0f,
	      "Amber, piles up for a moment and spreads. Corn syrup at 20 °C: 1370 kg/m³, about 3 Pa·s; typical of trade tables.")
	FLUID("honey", 1420.0f, 10.0f,
	      "Golden, coils and folds in ropes. 17 % of water at 20 °C: 1420 kg/m³, about 10 Pa·s; Yanniotis et al. 2006.")
	FLUID("molasses", 1410.0f, 20.0f,
	      "Almost black, creeps. Cane molasses at 20 °C: 1410 kg/m³, about 20 Pa·s; typical of trade tables.")
	FLUID("lava", 2700.0f, 100.0f,
	      "Glowing, rolls over itself. Basalt at 1,150 °C: 2700 kg/m³, about 100 Pa·s; Giordano et al. 2008.")
	FLUID("mercury", 13545.9f, 0.001554f,
	      "Mirror-bright, heavy enough to float iron. At 20 °C: 13545.9 kg/m³, 1.554 mPa·s; CRC Handbook.")
	FLUID("liquid nitrogen", 806.1f, 0.000161f,
	      "Clear, thinner than any other here. At 77.4 K: 806.1 kg/m³, 0.161 mPa·s; NIST REFPROP.")
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
