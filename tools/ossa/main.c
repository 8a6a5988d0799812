/* tools/ossa/main.c: the command. */
#include <ossa/ossa.h>

#include <stdio.h>

int main(void)
{
	printf("ossa %s\n", OSSA_VERSION);
	return 0;
}
