// One time step of n bodies that attract each other. xyz: position, w: mass.
kernel void k(global const float4 *body, global float4 *moved, global const float4 *speed,
              int n, float dt)
{
    int i = get_global_id(0);
    float4 me = body[i];
    float3 force = (float3)(0.0f);
    for (int j = 0; j < n; ++j) {
        float4 other = body[j];
        float3 d = other.xyz - me.xyz;
        float r = rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + 0.01f);
        force += d * (other.w * r * r * r);
    }
    float3 v = speed[i].xyz + force * dt;
    moved[i] = (float4)(me.xyz + v * dt, me.w);
}
