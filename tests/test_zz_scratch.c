#include "solids.h"
#include "support.h"
#include <stdio.h>
static vec scaled(const void *context, vec p){ const vec *s = context; return vec_of(s->x * p.x, s->y * p.y, s->z * p.z);}
static void inv(vec by,double E,double damp,double fric,double hg,double dt,double cfl,int el){
	const oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.12f, 0.12f, 0.12f});
	oz_world_def def = oz_solids_space(0.02); def.time_step=(float)dt; def.cfl=(float)cfl;
	oz_world *w = oz_phys_world(&def);
	oz_material_def m = oz_solids_material(E, 0.3); m.damping=(float)damp; m.friction=(float)fric; m.hourglass=(float)hg; m.elasticity=(oz_elasticity)el;
	oz_solids_body(w, &m, &box, OZ_FILL_LATTICE, vec_of(0, 0, 0));
	grains rest = oz_phys_grains(w); oz_solids_place(w, scaled, &by);
	uint32_t rep=0; int first=-1;
	printf("scale %g E %g damp %g fric %g hg %g dt %g cfl %g el %d: ",by.x,E,damp,fric,hg,dt,cfl,el);
	for(int k=0;k<4000;k++){ oz_step_report r=oz_phys_step(w); rep+=r.repaired; if(r.repaired&&first<0) first=k; if((k<8&&0)||(k&(k-1))==0&&k<1025&&0) printf("\n k %d dt %.2e %s v %.3g a %.3g comp %.3g",k,(double)r.time_step,oz_limit_name(r.limit),(double)r.max_speed,(double)r.max_acceleration,(double)r.max_compression); }
	grains now=oz_phys_grains(w);
	printf(" repaired %u first at %d t %g misfit %.4f speed %.3g\n",rep,first,oz_world_time(w),oz_blends_misfit(&now,&rest)/0.12,oz_solids_speed(w));
	oz_phys_release(&now); oz_phys_release(&rest); oz_world_destroy(w);
}
static void t(void **state){(void)state;
 vec a={-0.5,1,1},b={0,1,1},c={0.5,1,1};
 inv(a,1e4,0.1,0.3,0.1,0,1,0); inv(a,1e4,0,0,0.1,0,1,0); inv(a,1e4,0.1,0,0.1,0,1,0); inv(a,1e4,0,0.3,0.1,0,1,0); inv(a,1e4,0,0,0.1,0,0.3,0); inv(a,1e6,0,0,0.1,0,1,0);
 inv(b,1e4,0,0,0.1,0,1,0); inv(c,1e4,0,0,0.1,0,1,0); inv(c,1e4,0.1,0.3,0.1,0,1,0);inv(b,1e4,0.1,0.3,0.1,0,1,0);
}
int main(void){const struct CMUnitTest tests[]={cmocka_unit_test(t)};return cmocka_run_group_tests(tests,NULL,NULL);}
