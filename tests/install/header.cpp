// header.cpp: the header alone, as strict C++11; the names must link as C.
#include <ooze/ooze.h>

int main()
{
	return oz_result_text(OZ_OK)[0] == '\0';
}
