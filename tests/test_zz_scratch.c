#include "solids.h"
#include "support.h"
#include <stdio.h>
static void wring(double fric,double hg,double visc,double cfl,int quarters,double nu,double E,int strain){
	const double H=0.1,L=0.4; oz_keyframe frames[20];
	for (int k = 0; k <= quarters; k++) frames[k] = (oz_keyframe){0.25f * (float)k,{(float)L / 2, 0, 0},oz_phys_turn(vec_of(1, 0, 0), 0.5 * PI * k)};
	oz_world_def def = oz_solids_space(0.02); def.cfl=(float)cfl; oz_world *w = oz_phys_world(&def);
	oz_material_def m = oz_solids_material(E, nu); m.viscosity=(float)visc; m.friction=(float)fric; m.hourglass=(float)hg; m.strain=(oz_strain)strain;
	const oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){(float)L, (float)H, (float)H});
	oz_solids_body(w, &m, &box, OZ_FILL_LATTICE, vec_of(0, 0, 0));
	oz_solids_grip(w, vec_of(-L / 2 - 0.05, -1, -1), vec_of(-L / 2 + 0.05, 1, 1), NULL, 0, 1e9);
	oz_solids_grip(w, vec_of(L / 2 - 0.05, -1, -1), vec_of(L / 2 + 0.05, 1, 1), frames,(uint32_t)quarters + 1, 1e9);
	printf("wring fric %g hg %g visc %g cfl %g q %d nu %g E %g strain %d:",fric,hg,visc,cfl,quarters,nu,E,strain); oz_step_report r;
	for(int k=0;k<5;k++){ oz_phys_until(w,0.25*quarters+0.5*k); r=oz_phys_step(w); printf(" v %.2e(comp %.2f)",oz_solids_speed(w),(double)r.max_compression);} 
	printf(" dt %.2e %s el %.4f\n",(double)r.time_step,oz_limit_name(r.limit),oz_solids_energy(w)); oz_world_destroy(w);
}
static void t(void **state){(void)state;
 wring(0.3,0.1,100,1,8,0.3,1e5,0); wring(0,0.1,100,1,8,0.3,1e5,0); wring(0,0.1,100,0.3,8,0.3,1e5,0); wring(0,1,100,1,8,0.3,1e5,0); wring(0,0.1,100,1,6,0.3,1e5,0); wring(0,0.1,100,1,8,0,1e5,0); wring(0,0.1,100,1,8,0.3,1e5,1); wring(0,0.1,100,1,8,0.3,1e4,0);
}
int main(void){const struct CMUnitTest tests[]={cmocka_unit_test(t)};return cmocka_run_group_tests(tests,NULL,NULL);}
