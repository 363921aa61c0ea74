// expect: SAFE
// without: abstraction, which looks at one comparison after the other
// What gcc computes with binary128 and in conversions between it and other formats.
extern int __VERIFIER_nondet_int(void);
extern void *memcpy(void *, const void *, unsigned long);
extern void reach_error(void);
typedef unsigned long long u64; typedef union {__float128 f; u64 w[2];} Q; typedef union {long double f; u64 w[2];} E;
static __float128 m(u64 h,u64 l){Q q; q.w[1]=h;q.w[0]=l; return q.f;} static int is(__float128 f,u64 h,u64 l){Q q; q.f=f; return q.w[1]==h&&q.w[0]==l;}
static long double me(u64 h,u64 l){E q; q.w[1]=h;q.w[0]=l; return q.f;} static int ise(long double f,u64 h,u64 l){E q; q.f=f; return (q.w[1]&0xffff)==h&&q.w[0]==l;}
int main(void){ if (__VERIFIER_nondet_int() < 0) return 0; double d; float g;
 if(!is(m(0xedd6d2e1f58758e9ULL,0x915aacdc8ee86f0dULL)-m(0x4008692aaaaaaaaaULL,0xb000000000000000ULL),0xedd6d2e1f58758e9ULL,0x915aacdc8ee86f0dULL)) reach_error();
 if(!ise((long double)m(0x3fd2a872c48f2325ULL,0x6636aaf8489abb7bULL),0x3fd2ULL,0xd43962479192b31bULL)||!is((__float128)me(0x3fd2ULL,0xd43962479192b31bULL),0x3fd2a872c48f2325ULL,0x6636000000000000ULL)) reach_error();
 if(!is(m(0xfffeaca903ef4ae0ULL,0xe0eec5099ef58badULL)-m(0xfffe1ca225297081ULL,0x2ca21461b43d3c4dULL),0xfffd200dbd8bb4bfULL,0x6899614fd5709ec0ULL)) reach_error();
 if((m(0xdc0bc2f27428ULL,0x81bce269dd588b86ULL)<m(0x80000f094cadc48eULL,0x7339794295358c67ULL))!=0||(m(0xdc0bc2f27428ULL,0x81bce269dd588b86ULL)<=m(0x80000f094cadc48eULL,0x7339794295358c67ULL))!=0||(m(0xdc0bc2f27428ULL,0x81bce269dd588b86ULL)==m(0x80000f094cadc48eULL,0x7339794295358c67ULL))!=0) reach_error();
 if((m(0x7ffe35ea190231f1ULL,0xf48ced8815e4f5a4ULL)<m(0x7ffe8ea52011a7d7ULL,0xae83a0d001113af3ULL))!=1||(m(0x7ffe35ea190231f1ULL,0xf48ced8815e4f5a4ULL)<=m(0x7ffe8ea52011a7d7ULL,0xae83a0d001113af3ULL))!=1||(m(0x7ffe35ea190231f1ULL,0xf48ced8815e4f5a4ULL)==m(0x7ffe8ea52011a7d7ULL,0xae83a0d001113af3ULL))!=0) reach_error();
 if(!is(m(0xf735c1a1025f9863ULL,0xdd23e77a0f2fc9f4ULL)-m(0xffff000000000000ULL,0x0ULL),0x7fff000000000000ULL,0x0ULL)) reach_error();
 if(!is(m(0x4144385a34eeULL,0xd0fd8d18a282f626ULL)+m(0x7fff000000000000ULL,0x0ULL),0x7fff000000000000ULL,0x0ULL)) reach_error();
 if(!is(m(0x9b14d7ead273f160ULL,0x204f3f94335348d7ULL)-m(0x0ULL,0x8bULL),0x9b14d7ead273f160ULL,0x204f3f94335348d7ULL)) reach_error();
 if((long long)m(0xc004280000000000ULL,0x0ULL)!=-37LL) reach_error();
 if(!is(m(0x400a5b1555555555ULL,0x5000000000000000ULL)+m(0xffff000000000000ULL,0x0ULL),0xffff000000000000ULL,0x0ULL)) reach_error();
 if(!is(m(0x4e39270b51e2a6fcULL,0xb36cfeae84fefa67ULL)-m(0xd359a3be1c6f9d9aULL,0xe11dbcd4ea7f0f1bULL),0x5359a3be1c6f9d9aULL,0xe11dbcd4ea7f0f1bULL)) reach_error();
 if((long long)m(0x8000000000000000ULL,0x38ULL)!=0LL) reach_error();
 if((long long)m(0xa784e7a5f50dd3aULL,0x295d09a52291ce1fULL)!=0LL) reach_error();
 g=m(0xc005ceaaaaaaaaaaULL,0xb000000000000000ULL); {unsigned u; memcpy(&u,&g,4); if(u!=0xc2e75555U) reach_error();}
 if(!is(m(0xc008380000000000ULL,0x0ULL)-m(0x4008210000000000ULL,0x0ULL),0xc0092c8000000000ULL,0x0ULL)) reach_error();
 if(!is(m(0xc008cd8000000000ULL,0x0ULL)-m(0xc008cd8000000000ULL,0x2ULL),0x3f99000000000000ULL,0x0ULL)) reach_error();
 d=m(0xc00991d555555555ULL,0x5000000000000000ULL); {u64 u; memcpy(&u,&d,8); if(u!=0xc0991d5555555555ULL) reach_error();}
 if(!is(m(0x1afca3b9af7a51b6ULL,0xe9ebcf503f19390dULL)+m(0x6c71f9ebebb88c61ULL,0xcccf5e89a14f6e78ULL),0x6c71f9ebebb88c61ULL,0xcccf5e89a14f6e78ULL)) reach_error();
 g=m(0x992693ad319dcc46ULL,0xde4dedb009db3d61ULL); {unsigned u; memcpy(&u,&g,4); if(u!=0x80000000U) reach_error();}
 if(!is(m(0xbfb72d54506cdd51ULL,0xd6fca5b06159ad1fULL)-m(0xbfb72d54506cdd51ULL,0xd6fca5b06159ad1fULL),0x0ULL,0x0ULL)) reach_error();
 if((long long)m(0x8000000000000000ULL,0x33ULL)!=0LL) reach_error();
 g=m(0xc00a94c000000000ULL,0x0ULL); {unsigned u; memcpy(&u,&g,4); if(u!=0xc54a6000U) reach_error();}
 if(!is(m(0x4005100000000000ULL,0x0ULL)/m(0x4005100000000000ULL,0x0ULL),0x3fff000000000000ULL,0x0ULL)) reach_error();
 if(!is(m(0xffff000000000000ULL,0x0ULL)-m(0x402317a8e713a92fULL,0x2d306d018a66317bULL),0xffff000000000000ULL,0x0ULL)) reach_error();
 if((m(0x4008188000000000ULL,0x0ULL)<m(0x3fd372d9d54e6ca8ULL,0xc2c0da3405658126ULL))!=0||(m(0x4008188000000000ULL,0x0ULL)<=m(0x3fd372d9d54e6ca8ULL,0xc2c0da3405658126ULL))!=0||(m(0x4008188000000000ULL,0x0ULL)==m(0x3fd372d9d54e6ca8ULL,0xc2c0da3405658126ULL))!=0) reach_error();
 if(!is(m(0xd1dfd4135efcULL,0x528c64de4eed2d81ULL)/m(0x4006715555555555ULL,0x5000000000000000ULL),0x122f1e63a46ULL,0xae35f18e3b7e256bULL)) reach_error();
 if(!is(m(0x0ULL,0xbULL)/m(0x7125b610d29aade7ULL,0x108d559947a60d80ULL),0x0ULL,0x0ULL)) reach_error();
 if(!is(m(0xc008708000000000ULL,0x0ULL)+m(0xbfc48640bd7e1341ULL,0x5a26da758f0d4c3cULL),0xc008708000000000ULL,0x18640bd7e134ULL)) reach_error();
 if(!is(m(0x400911eaaaaaaaaaULL,0xb000000000000000ULL)+m(0x400911eaaaaaaaaaULL,0xb000000000000000ULL),0x400a11eaaaaaaaaaULL,0xb000000000000000ULL)) reach_error();
 if(!is(m(0xc00a6c8000000000ULL,0x0ULL)-m(0xc03d7aa6e997bc05ULL,0xff7d2e88cc53bb87ULL),0x403d7aa6e997bc05ULL,0xd1ed2e88cc53bb87ULL)) reach_error();
 if((m(0xc007260000000000ULL,0x0ULL)<m(0xc007260000000000ULL,0x1ULL))!=0||(m(0xc007260000000000ULL,0x0ULL)<=m(0xc007260000000000ULL,0x1ULL))!=0||(m(0xc007260000000000ULL,0x0ULL)==m(0xc007260000000000ULL,0x1ULL))!=0) reach_error();
 g=m(0x3ff83562b697c39aULL,0x45ba7eeb1a11e5c2ULL); {unsigned u; memcpy(&u,&g,4); if(u!=0x3c1ab15bU) reach_error();}
 if(!is(m(0x5cbeeee71147c26dULL,0x3a7c1b1cf5b74c0dULL)*m(0x3fbcb08610bb147fULL,0xcdc5064963e90d37ULL),0x5c7ca2148d3a1f93ULL,0xa99b7f604aa26c76ULL)) reach_error();
 if(!is(m(0x800068bc9d2b64f5ULL,0x1a870897b49349ebULL)*m(0x7ffef4c56504c939ULL,0x3afa466561b639bcULL),0xbfff99c24ae425b6ULL,0xfaed3f0bc9e52101ULL)) reach_error();
 d=m(0x4008108000000000ULL,0x0ULL); {u64 u; memcpy(&u,&d,8); if(u!=0x4081080000000000ULL) reach_error();}
 if(!is(m(0xc008180000000000ULL,0x0ULL)/m(0xc008180000000000ULL,0x3ULL),0x3ffeffffffffffffULL,0xfffffffffffffffbULL)) reach_error();
 if(!is(m(0xcc8b01495609ULL,0xdbc0f087e57345edULL)-m(0x4007f60000000000ULL,0x0ULL),0xc007f60000000000ULL,0x0ULL)) reach_error();
 if(!is(m(0x3fbde14d5f5cc085ULL,0x493970f942d2af0bULL)/m(0xfffe73bcf1647095ULL,0xd749e5098f0d7e67ULL),0x8000000000000000ULL,0x296e77e078c0ULL)) reach_error();
 if(!is(m(0xc009b940a72cb64aULL,0x6a05bf54ab58c0b1ULL)+m(0xc009b940a72cb64aULL,0x6a05bf54ab58c0b1ULL),0xc00ab940a72cb64aULL,0x6a05bf54ab58c0b1ULL)) reach_error();
 if(!is(m(0x0ULL,0x29ULL)-m(0xfffea22401ce6a1fULL,0xad9736d42f93c2f5ULL),0x7ffea22401ce6a1fULL,0xad9736d42f93c2f5ULL)) reach_error();
 if(!is(m(0x4a02aecace1a1038ULL,0xcbd1587f0f8c9c9fULL)/m(0xffff000000000000ULL,0x0ULL),0x8000000000000000ULL,0x0ULL)) reach_error();
 if(!is(m(0x8000c2b2343f796eULL,0x76342d45c448d744ULL)/m(0x400a373555555555ULL,0x5000000000000000ULL),0x8000001405066f56ULL,0xf73d79f3b24c2bacULL)) reach_error();
 if(!is(m(0x4024a35376c8328bULL,0xd3de4169f0daf62aULL)-m(0xbf9bbd76e0a6a61dULL,0xe383610ab8691722ULL),0x4024a35376c8328bULL,0xd3de4169f0daf62aULL)) reach_error();
 if(!is(m(0xffff000000000000ULL,0x0ULL)+m(0x4007140000000000ULL,0x0ULL),0xffff000000000000ULL,0x0ULL)) reach_error();
 if((long long)m(0xc007180000000000ULL,0x0ULL)!=-280LL) reach_error();
 if(!is((__float128)107LL,0x4005ac0000000000ULL,0x0ULL)) reach_error();
 if(!is(m(0x8000000000000000ULL,0x9dULL)-m(0xc007120000000000ULL,0x0ULL),0x4007120000000000ULL,0x0ULL)) reach_error();
 if(!is(m(0xc04fa844fa4ecbf1ULL,0xda96e11969c5adf0ULL)+m(0xfffe8a7af427ae3eULL,0x26c6c4cbe59ebee2ULL),0xfffe8a7af427ae3eULL,0x26c6c4cbe59ebee2ULL)) reach_error();
 if(!is(m(0x8000418e912a3377ULL,0x3a5847aa1b95127fULL)-m(0x0ULL,0x30ULL),0x8000418e912a3377ULL,0x3a5847aa1b9512afULL)) reach_error();
 if(!ise((long double)m(0xfffe9249ca682419ULL,0xa67a5d7df7096537ULL),0xfffeULL,0xc924e534120cd33dULL)||!is((__float128)me(0xfffeULL,0xc924e534120cd33dULL),0xfffe9249ca682419ULL,0xa67a000000000000ULL)) reach_error();
 if(!is(m(0x625ead4ef375aab0ULL,0x9b8abdc536c41980ULL)+m(0x625ead4ef375aab0ULL,0x9b8abdc536c41982ULL),0x625fad4ef375aab0ULL,0x9b8abdc536c41981ULL)) reach_error();
 if((m(0xffff000000000000ULL,0x0ULL)<m(0xffff000000000000ULL,0x0ULL))!=0||(m(0xffff000000000000ULL,0x0ULL)<=m(0xffff000000000000ULL,0x0ULL))!=1||(m(0xffff000000000000ULL,0x0ULL)==m(0xffff000000000000ULL,0x0ULL))!=1) reach_error();
 if(!is(m(0x4030c00ce2446a0ULL,0xc7fb2d0b429dc7eULL)*m(0x69a83bf48376399cULL,0x6212ad09eaa9a3faULL),0x2dac4ac4f80b4ba5ULL,0xb9d90cdc52ded2e5ULL)) reach_error();
 g=m(0x412803cd528ba76dULL,0x793678167d008dbbULL); {unsigned u; memcpy(&u,&g,4); if(u!=0x7f800000U) reach_error();}
 if(!is(m(0xd60b80409fc30f8eULL,0x44e21655338a8906ULL)-m(0xd60b80409fc30f8eULL,0x44e21655338a8906ULL),0x0ULL,0x0ULL)) reach_error();
 if(!is(m(0x0ULL,0xddULL)/m(0xc007d80000000000ULL,0x0ULL),0x8000000000000000ULL,0x0ULL)) reach_error();
 if(!is((__float128)12439782398872LL,0x402a6a0b99f37300ULL,0x0ULL)) reach_error();
 if(!is(m(0x400875aaaaaaaaaaULL,0xb000000000000000ULL)/m(0x400875aaaaaaaaaaULL,0xb000000000000001ULL),0x3ffeffffffffffffULL,0xffffffffffffffffULL)) reach_error();
 if(!is(m(0xc005540000000000ULL,0x0ULL)+m(0x528983edafffULL,0xa03ee330ae56378dULL),0xc005540000000000ULL,0x0ULL)) reach_error();
 if(!is(m(0xbfab156a5d388855ULL,0x37834a394cc250c7ULL)+m(0xd595a49151c54152ULL,0x18e985ce28a73bfbULL),0xd595a49151c54152ULL,0x18e985ce28a73bfbULL)) reach_error();
 if(!is((__float128)639566LL,0x40123849c0000000ULL,0x0ULL)) reach_error();
 if(!is(m(0x40086d0000000000ULL,0x0ULL)-m(0xc0082c5555555555ULL,0x5000000000000000ULL),0x40094caaaaaaaaaaULL,0xa800000000000000ULL)) reach_error();
 d=m(0x7fff000000000000ULL,0x0ULL); {u64 u; memcpy(&u,&d,8); if(u!=0x7ff0000000000000ULL) reach_error();}
 if(!is(m(0x7ffeefc3c5112311ULL,0x9bda4cc45a22290bULL)-m(0xbff8f1bd89728c6fULL,0x6ee87140abfe2a70ULL),0x7ffeefc3c5112311ULL,0x9bda4cc45a22290bULL)) reach_error();
 g=m(0xffff000000000000ULL,0x0ULL); {unsigned u; memcpy(&u,&g,4); if(u!=0xff800000U) reach_error();}
 if(!is((__float128)81582056463LL,0x40232feab640f000ULL,0x0ULL)) reach_error();
 if(!is(m(0x4013f30a3df45c7fULL,0x809e69ed71b6e993ULL)+m(0x70ae9898803a77a7ULL,0xbfbe0eb696bfd276ULL),0x70ae9898803a77a7ULL,0xbfbe0eb696bfd276ULL)) reach_error();
 if(!is(m(0x400a54eaaaaaaaaaULL,0xb000000000000000ULL)+m(0x4008610000000000ULL,0x0ULL),0x400aad2aaaaaaaaaULL,0xb000000000000000ULL)) reach_error();
 if(!is(m(0x8000691a75fd2b5fULL,0x66c5b31c6347765cULL)+m(0x8000691a75fd2b5fULL,0x66c5b31c6347765cULL),0x8000d234ebfa56beULL,0xcd8b6638c68eecb8ULL)) reach_error();
 if(!is((__float128)10769778LL,0x401648aae4000000ULL,0x0ULL)) reach_error();
 return 0;}
