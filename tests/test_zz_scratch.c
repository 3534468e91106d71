#include "solids.h"
#include "support.h"
#include <stdio.h>
static vec bent(const void *context, vec p)
{
	const double a = *(const double *)context, t = 4 * a * p.x;
	const vec q = {p.x * (1 + a) + a * p.y, p.y + 5 * a * p.x * p.x, p.z - a * p.y};
	return vec_of(q.x, q.y * cos(t) - q.z * sin(t), q.y * sin(t) + q.z * cos(t));
}
static void t(void **state){(void)state;
 for(int hg=0;hg<2;hg++) for(int rep=0;rep<2;rep++){
	const oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.2f, 0.12f, 0.1f});
	const oz_world_def space = oz_solids_space(0.02);
	oz_world *w = oz_phys_world(&space);
	oz_material_def def = oz_solids_material(1e5, 0.3);
	def.friction=hg?0.3f:0;
	oz_solids_body(w, &def, &box, OZ_FILL_LATTICE, vec_of(4, -3, 5));
	double am=rep?0.25:0.05; oz_solids_place(w, bent, &am);
	momenta first = oz_phys_momenta(w), before=first; double tl=0;
	for(int k=0;k<=1000;k++){ 
		if(k%100==0){ momenta m=oz_phys_momenta(w);
		vec *p=oz_solids_pushes(w); vec torque={0,0,0}, force={0,0,0}; double ts=0,fs=0; grains g=oz_phys_grains(w);
		for(uint32_t i=0;i<g.count;i++){ vec c=vec_cross(g.at[i].x,p[i]); torque=vec_mad(torque,c,1); ts+=vec_length(c); force=vec_mad(force,p[i],1); fs+=vec_length(p[i]);}
		printf("hg %d am %g k %d t %.4f dL %.2e %.2e %.2e of %.2e (change in span %.2e)  torque %.2e %.2e %.2e of %.2e force %.1e of %.2e\n",hg,am,k,oz_world_time(w),m.angular.x-first.angular.x,m.angular.y-first.angular.y,m.angular.z-first.angular.z,m.angular_scale,vec_length(vec_sub(m.angular,before.angular)),torque.x*8e-3,torque.y*8e-3,torque.z*8e-3,ts*8e-3,vec_length(force)*8e-3,fs*8e-3);
		before=m; free(p); oz_phys_release(&g);} 
		oz_phys_step(w); (void)tl; }
	oz_world_destroy(w);
 }}
int main(void){const struct CMUnitTest tests[]={cmocka_unit_test(t)};return cmocka_run_group_tests(tests,NULL,NULL);}
