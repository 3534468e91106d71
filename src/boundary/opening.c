// opening.c: the opening of a nozzle: its area, its axes, its columns of particles.
#include "boundary/opening.h"

#include <math.h>

#include "math/vec.h"

// The powers -1 and -2 of the plastic number: phases of neighbouring columns differ by about 1/4
// and 3/7 of a layer, and those of diagonal neighbours by 1/3 and 1/5.
#define PHASE_LONG  0.7548776662466927
#define PHASE_SHORT 0.5698402909980532

double oz_opening_area(const oz_emitter_def *def)
{
	return oz_opening_is_rectangle(def) ? (double)def->width * (double)def->height
	                                    : M_PI * (double)def->radius * (double)def->radius;
}

// The width is horizontal, and along x if the jet is vertical; then `roll` rotates both about the
// jet.
void oz_opening_axes(const oz_emitter_def *def, oz_vec3 *width, oz_vec3 *height)
{
	const oz_vec3 along = oz_normalize(def->direction);
	const oz_vec3 level = oz_cross(along, oz_v3(0, 1, 0));
	const bool vertical = oz_length(level) < 1e-3f;
	// at right angles to a jet that is almost vertical, too
	const oz_vec3 u = vertical ? oz_normalize(oz_mad(oz_v3(1, 0, 0), along, -along.x))
	                           : oz_normalize(level);
	const oz_vec3 v = oz_cross(along, u);
	const double angle = (double)def->roll * M_PI / 180;
	const float c = (float)cos(angle), s = (float)sin(angle);
	*width = oz_mad(oz_scale(u, c), v, s);
	*height = oz_mad(oz_scale(v, c), u, -s);
}

// ---- distances ---------------------------------------------------------------------------------

// the square of the distance from a column's particle to the nearest one of another column, or of
// its own, in m²
static double nearest2(const oz_columns *c, double layer)
{
	double least = layer * layer;
	for (int a = 0; a < 4 && a < (int)c->across[0]; a++)
		for (int b = -3; b < 4; b++) {
			if (abs(b) >= (int)c->across[1] || (a == 0 && b == 0))
				continue;
			const double x = a * (double)c->pitch[0], y = b * (double)c->pitch[1];
			const double phase = a * c->phase[0] + b * c->phase[1];
			const double z = (phase - rint(phase)) * layer;
			least = fmin(least, x * x + y * y + z * z);
		}
	return least;
}

// ---- round openings ----------------------------------------------------------------------------

#define ROUND   0.1 // largest difference of the outline from a circle, over the radius, that is round
#define NEAREST 0.86 // spacings, least distance of particles

// The disc of the columns with a² + b² ≤ reach2, where a and b are twice the distances from the
// centre over the pitch: even, with a column in the centre, or odd, with the centre between four.
static oz_columns round_disc(double area, uint32_t reach2, bool odd)
{
	const int reach = (int)sqrt((double)reach2);
	const int first = (reach - odd) / 2 * 2 + odd;
	uint32_t count = 0;
	for (int a = -first; a <= first; a += 2)
		for (int b = -first; b <= first; b += 2)
			count += (uint32_t)(a * a + b * b) <= reach2;
	const float pitch = (float)sqrt(area / count);
	return (oz_columns){.count = count,
	                    .across = {(uint32_t)first + 1, (uint32_t)first + 1},
	                    .reach2 = reach2,
	                    .pitch = {pitch, pitch},
	                    .phase = {PHASE_LONG, PHASE_SHORT}};
}

// the smallest disc around a column with at least as many columns as the opening has spacings²
static oz_columns least_disc(double area, double spacing)
{
	const double cells = area / (spacing * spacing);
	// begins a little below the disc of that area
	const double first = cells / M_PI - 2 * sqrt(cells) - 2;
	uint32_t q = first > 0 ? (uint32_t)first : 0;
	while (round_disc(area, 4 * q, false).count < cells)
		q++;
	return round_disc(area, 4 * q, false);
}

// The largest difference of the outline from a circle, over its radius. The outline is half a
// spacing outside the columns that are farthest in a direction; a quarter of a right angle and its
// mirror image have all directions.
static double outline_error(const oz_columns *c, double area, double spacing)
{
	double worst = 0;
	for (int k = 0; k <= 8; k++) {
		const double angle = k * M_PI / 32;
		double far = 0;
		oz_column at;
		for (uint32_t i = 0; i < c->across[0]; i++)
			for (uint32_t j = 0; j < c->across[1]; j++)
				if (oz_columns_at(c, i, j, &at))
					far = fmax(far, cos(angle) * (double)at.width +
					                        sin(angle) * (double)at.height);
		worst = fmax(worst, fabs((far + 0.5 * spacing) / sqrt(area / M_PI) - 1));
	}
	return worst;
}

// The least disc if its outline is round, else the roundest one of about as many columns: the least
// disc of 2 spacings radius has 13 columns and pours a square.
static oz_columns round_columns(const oz_emitter_def *def, double spacing)
{
	const double area = oz_opening_area(def), cells = area / (spacing * spacing);
	oz_columns best = least_disc(area, spacing);
	double least = outline_error(&best, area, spacing);
	if (least <= ROUND)
		return best;
	const uint32_t most = (uint32_t)(4 * 1.5 * (cells + 1));
	for (uint32_t reach2 = 0; reach2 < most; reach2++) {
		// sums of two even squares, and of two odd ones
		const bool odd = reach2 % 8 == 2;
		if (!odd && reach2 % 4 != 0)
			continue;
		const oz_columns c = round_disc(area, reach2, odd);
		if (c.count > 1.3 * cells + 1)
			break;
		const double layer = c.count * spacing * spacing * spacing / area;
		const double error = outline_error(&c, area, spacing);
		if (error < least && nearest2(&c, layer) >= pow(NEAREST * spacing, 2)) {
			best = c;
			least = error;
		}
	}
	return best;
}

// ---- rectangular openings ----------------------------------------------------------------------

// `choice` has one bit each for one more column along the width, one more along the height, and
// phases exchanged
static oz_columns rectangle_choice(const oz_emitter_def *def, double spacing, int choice)
{
	const double columns[2] = {floor((double)def->width / spacing) + (choice & 1),
	                           floor((double)def->height / spacing) + (choice >> 1 & 1)};
	const uint32_t nx = (uint32_t)fmax(columns[0], 1), ny = (uint32_t)fmax(columns[1], 1);
	const bool exchanged = choice & 4;
	return (oz_columns){.count = nx * ny,
	                    .across = {nx, ny},
	                    .reach2 = UINT32_MAX,
	                    .pitch = {def->width / (float)nx, def->height / (float)ny},
	                    .phase = {exchanged ? PHASE_SHORT : PHASE_LONG,
	                              exchanged ? PHASE_LONG : PHASE_SHORT}};
}

// The columns whose particles are farthest from each other: at least 0.86 spacings for all sides.
static oz_columns rectangle_columns(const oz_emitter_def *def, double spacing)
{
	const double area = oz_opening_area(def);
	oz_columns best = {0};
	double most = 0;
	for (int choice = 0; choice < 8; choice++) {
		const oz_columns c = rectangle_choice(def, spacing, choice);
		const double layer = c.count * spacing * spacing * spacing / area;
		// a later choice has to be better by more than rounding
		if (nearest2(&c, layer) > 1.0001 * most) {
			best = c;
			most = nearest2(&c, layer);
		}
	}
	return best;
}

oz_columns oz_opening_columns(const oz_emitter_def *def, double spacing)
{
	return oz_opening_is_rectangle(def) ? rectangle_columns(def, spacing)
	                                    : round_columns(def, spacing);
}

// the parity of reach2 says whether a column is in the centre
bool oz_opening_disc(const oz_emitter_def *def, double spacing, uint32_t reach2,
                     oz_columns *columns)
{
	const double area = oz_opening_area(def);
	const bool odd = reach2 % 8 == 2;
	if (!(odd || reach2 % 4 == 0) || reach2 > 8 * (area / (spacing * spacing) + 4))
		return false;
	*columns = round_disc(area, reach2, odd);
	return true;
}

oz_columns oz_opening_least_disc(const oz_emitter_def *def, double spacing)
{
	return least_disc(oz_opening_area(def), spacing);
}

bool oz_columns_at(const oz_columns *c, uint32_t i, uint32_t j, oz_column *column)
{
	const int a = (int)i - (int)(c->across[0] - 1) / 2,
	          b = (int)j - (int)(c->across[1] - 1) / 2;
	const double phase = a * c->phase[0] + b * c->phase[1];
	const int da = 2 * (int)i - (int)(c->across[0] - 1),
	          db = 2 * (int)j - (int)(c->across[1] - 1);
	if ((uint32_t)(da * da + db * db) > c->reach2)
		return false;
	column->width = ((float)i - 0.5f * (float)(c->across[0] - 1)) * c->pitch[0];
	column->height = ((float)j - 0.5f * (float)(c->across[1] - 1)) * c->pitch[1];
	column->phase = phase - floor(phase);
	return true;
}
