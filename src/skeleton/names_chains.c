/* skeleton/names_chains.c: names for shapes that are chains around a body: hands, octopuses, snakes.

   Place in the path: inside names.c.  In: a naming whose body is measured.  Out: names; false where the shape is not sure. */
#include "skeleton/limbs.h"

#include <stdio.h>
#include <stdlib.h>

bool ossai_name_hand(ossai_naming *naming, ossa_status *status)
{
	(void)naming;
	(void)status;
	return false;
}
bool ossai_name_radial(ossai_naming *naming, ossa_status *status)
{
	(void)naming;
	(void)status;
	return false;
}
bool ossai_name_spine(ossai_naming *naming, ossa_status *status)
{
	(void)naming;
	(void)status;
	return false;
}
