// links_sticks.h: which materials links join, for kernels and for the host.
//
// A material can be at an end of a link if it has links itself or is a solid: elastic, blended,
// rigid or a skin. Two different materials stick to each other if at least one has links, both can
// be at an end, `sticky` of those with links is above 0, and the table of adhesion does not forbid
// it.
#ifndef OZ_LINKS_STICKS_H
#define OZ_LINKS_STICKS_H

#include "device/kernel.h"
#include "particles/matter.h"

#define OZ_ADHESION_MOST 32u // materials that an adhesion can name: bits of oz_link.avoids

// Pairs of materials that an adhesion lets stick since the table of links was made: the next table
// links all near particles of such a pair, also where links have broken. Bit n of with[m]: the
// materials m and n.
typedef struct oz_link_renewal {
	uint with[OZ_ADHESION_MOST];
} oz_link_renewal;

// whether particles of a material can be at an end of a link
OZ_FN bool link_can_end(OZ_GLOBAL const oz_matter *m)
{
	return m->flow.link.on || m->firm || m->rest_reach > 0.0f;
}

// whether a material is sticky enough for links to others: `sticky` counts only if it has links
OZ_FN bool link_is_sticky(OZ_GLOBAL const oz_matter *m)
{
	return !m->flow.link.on || m->flow.link.sticky > 0.0f;
}

// whether links can join two different materials, if adhesion allows it
OZ_FN bool link_can_join(OZ_GLOBAL const oz_matter *a, OZ_GLOBAL const oz_matter *b)
{
	return (a->flow.link.on || b->flow.link.on) && link_can_end(a) && link_can_end(b) &&
	       link_is_sticky(a) && link_is_sticky(b);
}

// whether the table of adhesion forbids links of a material to material n
OZ_FN bool link_avoids(OZ_GLOBAL const oz_matter *m, uint n)
{
	return n < OZ_ADHESION_MOST && (m->flow.link.avoids >> n & 1u);
}

// whether links join particles of the materials m and n
OZ_FN bool link_sticks(OZ_GLOBAL const oz_matter *matter, uint m, uint n)
{
	OZ_GLOBAL const oz_matter *a = &matter[m], *b = &matter[n];
	if (m == n)
		return a->flow.link.on != 0u;
	return link_can_join(a, b) && !link_avoids(a, n) && !link_avoids(b, m);
}

#endif
