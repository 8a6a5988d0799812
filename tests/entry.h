/* Included before the first line of every test file. There `main` is a macro for a name of its
   own (CMakeLists.txt), since one program holds them all: this is its prototype. */
#ifdef main
int main(void);
#endif
