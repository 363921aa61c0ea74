// expect: SAFE
extern int nd(void);
extern void reach_error(void);
union { struct { unsigned a : 4, b : 4; } f; unsigned char c; } u;
int main(void) { u.f.a = 3; u.f.b = 5; if (u.c != 0x53) reach_error(); return nd(); }
