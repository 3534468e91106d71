// header.c: the header alone, as strict C11.
#include <ooze/ooze.h>

int main(void)
{
	return oz_result_text(OZ_OK)[0] == '\0';
}
