/* samples/samples.c: the options of samples. */
#include "samples/samples.h"

ossa_sample_options ossa_sample_default(void)
{
	return (ossa_sample_options){.kind = OSSA_SAMPLE_QUADRUPED, .faces = 20000, .frames = 24};
}
