#include "solids.h"
#include "support.h"
#include <stdio.h>
static void go(int kind,int cells,double g,double dt,double damp,double nu,int steps){
	const double s=0.02,L=cells*s,root=3*s; oz_world_def def=oz_solids_space(s); def.time_step=(float)dt; def.gravity.y=(float)-g;
	oz_material_def m=oz_solids_material(1e6,nu); m.implicit=dt>0; m.damping=(float)damp;
	oz_world*w=oz_phys_world(&def);
	oz_shape shape=oz_shape_make(kind?OZ_SHAPE_SHEET:OZ_SHAPE_ROD,(oz_vec3){(float)(L+root),(float)(L+root),(float)(5*s)});
	shape.position.x=(float)(0.5*(L-root)); if(!kind) shape.rotation=oz_phys_turn(vec_of(0,0,1),-PI/2);
	oz_solids_body(w,&m,&shape,0,vec_of(0,0,0)); grains rest=oz_phys_grains(w);
	oz_solids_grip(w,vec_of(-1,-1,-1),vec_of(0,1,1),NULL,0,1e9);
	uint32_t st=oz_solids_settle(w,1e-6,(uint32_t)steps); grains now=oz_phys_grains(w); double d=0,cx=0; int c=0; for(uint32_t i=0;i<now.count;i++) if(rest.at[i].x.x>L-s){d+=rest.at[i].x.y-now.at[i].x.y;c++;cx=rest.at[i].x.x;} d/=c;
	double sum=0; for(int k=1;k<=cells;k++) sum+=k*k*(k+1)/2.0; double P=1000*s*s*s*g, EI=1e6*pow(s,4)/12/(kind?1-nu*nu:1);
	printf("kind %d cells %d n %u nu %g dt %g: steps %u t %g ke %.2e sag %.4e (%.3f L) of discrete beam %.4f\n",kind,cells,now.count,nu,dt,st,oz_world_time(w),oz_phys_kinetic(w),d,d/L,d/(sum*P*s*s*s/EI)); (void)cx;
	oz_phys_release(&now); oz_phys_release(&rest); oz_world_destroy(w);
}
static void t(void **state){(void)state;
 go(0,15,0.1,0.01,0,0.3,3000); go(0,15,0.01,0.01,0,0.3,3000); go(0,8,0.1,0.01,0,0.3,3000); go(0,15,0.1,0.002,0,0.3,3000); go(0,15,0.1,0.05,0,0.3,3000);
 go(1,15,0.1,0.01,0,0.,3000); go(1,15,0.1,0.002,0,0.3,3000); go(1,15,0.1,0.05,0,0.3,3000);
}
int main(void){const struct CMUnitTest tests[]={cmocka_unit_test(t)};return cmocka_run_group_tests(tests,NULL,NULL);}
