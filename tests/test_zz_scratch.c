#include "solids.h"
#include "support.h"
#include <stdio.h>
static void go(int kind,int cells,double g,double dt,double nu,double tend,double visc){
	const double s=0.02,L=cells*s,root=3*s; oz_world_def def=oz_solids_space(s); def.time_step=(float)dt; def.gravity.y=(float)-g;
	oz_material_def m=oz_solids_material(1e6,nu); m.implicit=dt>0; m.viscosity=(float)visc;
	oz_world*w=oz_phys_world(&def);
	oz_shape shape=oz_shape_make(kind?OZ_SHAPE_SHEET:OZ_SHAPE_ROD,(oz_vec3){(float)(L+root),(float)(L+root),(float)(5*s)});
	shape.position.x=(float)(0.5*(L-root)); if(!kind) shape.rotation=oz_phys_turn(vec_of(0,0,1),-PI/2);
	oz_solids_body(w,&m,&shape,0,vec_of(0,0,0)); grains rest=oz_phys_grains(w);
	oz_solids_grip(w,vec_of(-1,-1,-1),vec_of(0,1,1),NULL,0,1e9);
	double sum=0; for(int k=1;k<=cells;k++) sum+=k*k*(k+1)/2.0; double P=1000*s*s*s*g, EI=1e6*pow(s,4)/12/(kind?1-nu*nu:1), th=sum*P*s*s*s/EI;
	printf("kind %d cells %d g %g dt %g nu %g: ",kind,cells,g,dt,nu); uint32_t its=0,n=0;
	for(int q=1;q<=10;q++){ while(oz_world_time(w)<tend*q/10){oz_phys_step(w);its+=w->solid.iterations;n++;} grains now=oz_phys_grains(w); double d=0; int c=0; for(uint32_t i=0;i<now.count;i++) if(rest.at[i].x.x>L-s){d+=rest.at[i].x.y-now.at[i].x.y;c++;} printf(" %.3f",d/c/th); oz_phys_release(&now);} printf("  (of th %.3f L, %.1f its)\n",th/L,(double)its/n);
	oz_phys_release(&rest); oz_world_destroy(w);
}
static void t(void **state){(void)state;
 go(0,20,0.21,0.05,0.3,10,0); go(0,20,0.21,0.01,0.3,10,0); go(0,20,0.21,0.002,0.3,5,0); go(0,20,0.21,0,0.3,5,0); go(0,20,0.021,0.002,0.3,5,0); go(0,20,0.021,0,0.3,5,0); go(0,20,2.1,0.01,0.3,5,0);go(0,20,2.1,0,0.3,5,0);
}
int main(void){const struct CMUnitTest tests[]={cmocka_unit_test(t)};return cmocka_run_group_tests(tests,NULL,NULL);}
