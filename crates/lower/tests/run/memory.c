// Pointers, arrays, structures, unions, bit-fields, copies.
void reach_error(void); static void check(int c) { if (!c) reach_error(); }
void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *);
void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long); void *memmove(void *, const void *, unsigned long);
struct point { int x, y; }; struct line { struct point from, to; char name[4]; };
struct bits { unsigned a : 3; int b : 5; unsigned long long c : 40; _Bool d : 1; signed e : 2; };
struct __attribute__((packed)) packed { char c; int i; unsigned f : 20; unsigned h : 4; };
struct __attribute__((packed)) odd { unsigned a : 5; int b : 17; unsigned c : 2; }; struct odd go = {3, -70000, 2};
struct __attribute__((packed)) odd5 { char c; unsigned long long w : 31; _Bool t : 1; } go5 = {7, 0x7fff1234, 1};
union u { int i; unsigned char b[4]; float f; };
struct node { int v; struct node *next; };
struct point mk(int x, int y) { struct point p = {x, y}; return p; }
struct point swap(struct point p) { int t = p.x; p.x = p.y; p.y = t; return p; }
int dist(struct point a, struct point b) { a.x -= b.x; a.y -= b.y; return a.x * a.x + a.y * a.y; }
void incr(int *p) { ++*p; }
struct point gp = {.y = 7}; int garr[5] = {[1] = 10, [3] = 30}; int *gptr = &garr[3]; char gs[] = "hi"; const char *gstr = "abc";
struct line gl = {{1, 2}, {.x = 3}, "xy"}; int (*gf)(struct point, struct point) = dist; struct bits gb = {5, -3, 1ull << 35, 1, -1};
int mat[3][4];
int main(void) {
  int x = 1; incr(&x); check(x == 2);
  struct point p = mk(3, 4), q; q = swap(p); check(q.x == 4 && q.y == 3 && p.x == 3); check(dist(p, q) == 2); check(swap(q).y == 4);
  struct line l = {.from = p, .to = {5, 6}}; check(l.from.y == 4 && l.to.x == 5 && l.name[0] == 0); struct line m = l; m.to.y = 9; check(l.to.y == 6 && m.to.y == 9);
  struct line *lp = &m; lp->from.x++; check(m.from.x == 4); struct point *pp = &lp->to; pp->x = 77; check(m.to.x == 77);
  check(gp.x == 0 && gp.y == 7 && garr[1] == 10 && garr[4] == 0 && *gptr == 30 && gptr[-2] == 10 && gs[2] == 0 && gstr[1] == 'b');
  check(gl.from.y == 2 && gl.to.x == 3 && gl.name[1] == 'y' && gl.name[2] == 0 && sizeof(gs) == 3); check(gf(mk(0, 0), mk(3, 4)) == 25); check((*gf)(p, p) == 0);
  struct bits b = {0}; b.a = 9; check(b.a == 1); b.b = 15; b.b++; check(b.b == -16); b.c = ~0ull; unsigned long long bc = b.c; check(bc == (1ull << 40) - 1); b.d = 2; check(b.d == 1); b.e = 1; check((b.e += 1) == -2); check(b.a == 1 && b.b == -16);
  x = b.a++; check(x == 1 && b.a == 2); check((b.a = 15) == 7); check(gb.a == 5 && gb.b == -3 && (unsigned long long)gb.c == 1ull << 35 && gb.d && gb.e == -1);
  struct packed k = {1, 2, 3, 4}; k.f = 0xfffff; k.h = 5; k.i = -1; check(k.f == 0xfffff && k.h == 5 && k.c == 1 && sizeof k == 8);
  struct odd o = {31, 65535, 1}; check(sizeof o == 3 && o.a == 31 && o.b == 65535 && o.c == 1); o.b += 3; check(o.b == -65534 && o.a == 31 && o.c == 1); struct odd *op = &o; op->b = -1; op->a--; check(o.b == -1 && o.a == 30 && o.c == 1 && (op->c = 7) == 3); check(go.a == 3 && go.b == (int)((unsigned)-70000 << 15) >> 15 && go.c == 2); check(sizeof go5 == 5 && go5.c == 7 && (long long)go5.w == 0x7fff1234 && go5.t); go5.t = 0; go5.w++; check((long long)go5.w == 0x7fff1235 && !go5.t);
  union u u; u.i = 0x01020304; check(u.b[0] == 4 && u.b[3] == 1); u.f = 1.0f; check(u.i == 0x3f800000);
  for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) mat[i][j] = i * 4 + j; int *flat = &mat[0][0]; check(flat[7] == 7 && mat[2][3] == 11); int (*row)[4] = mat + 1; check((*row)[2] == 6 && row[1][0] == 8); check(&mat[2][0] - &mat[0][0] == 8);
  struct node *head = 0; for (int i = 0; i < 4; i++) { struct node *n = malloc(sizeof *n); n->v = i; n->next = head; head = n; }
  int sum = 0; while (head) { struct node *n = head->next; sum = sum * 10 + head->v; free(head); head = n; } check(sum == 3210);
  int *z = calloc(4, sizeof(int)); check(z[3] == 0); memset(z, 0x11, 8); check(z[1] == 0x11111111 && z[2] == 0); memcpy(z + 2, z, 8); check(z[3] == 0x11111111); z[0] = 5; memmove(z + 1, z, 12); check(z[1] == 5 && z[0] == 5); free(z); free((void *)0);
  char s[8] = "abc"; check(s[3] == 0 && s[7] == 0); char *e = s + 3; check(e - s == 3 && e > s && s[1] == 'b'); const char *lit = "xyz"; check(lit[2] == 'z' && *("q") == 'q');
  struct point arr[3] = {{1, 2}, [2] = {5, 6}}; check(arr[1].x == 0 && arr[2].y == 6); arr[1] = arr[2]; check(arr[1].x == 5); check(((struct point){8, 9}).y == 9); struct point *cl = &(struct point){.x = 4}; check(cl->x == 4 && cl->y == 0);
  int n = 5; int vla[n]; for (int i = 0; i < n; i++) vla[i] = i * i; check(vla[4] == 16 && sizeof vla == 20); int v2[n][3]; v2[4][2] = 8; v2[0][0] = 1; check(v2[4][2] == 8 && *(&v2[0][0] + 14) == 8);
  struct point c1 = x ? p : q; check(c1.x == 3); int fill[6] = {[1 ... 4] = 7}; check(fill[0] == 0 && fill[1] == 7 && fill[4] == 7 && fill[5] == 0);
  int *nul = 0; check(!nul && nul == 0); void *vp = &x; check(*(int *)vp == x); unsigned long addr = (unsigned long)&x; check(*(int *)addr == x); check((unsigned long)&((struct line *)0)->to == 8);
  int *px = &x, **ppx = &px; **ppx = 12; check(x == 12); *ppx = &sum; *px = 1; check(sum == 1);
  return 0;
}
