// The spacer of continuous-121-3: pockets as left, bottom, right, top, seen from above.
// Made by `cribboard draw`. Millimetres.
width = 403.92;
height = 198.18;
thickness = 2;
corner = 6;
screw = 3.2;
screws = [[6, 6], [201.96, 6], [397.92, 6], [6, 192.18], [201.96, 192.18], [397.92, 192.18]];
pockets = [[5.53, 10.2, 398.39, 21], [5.53, 22.9, 398.39, 33.7], [5.53, 35.6, 398.39, 46.4], [61.41, 55.92, 398.39, 66.72], [61.41, 68.62, 398.39, 79.42], [61.41, 81.32, 398.39, 92.12], [61.41, 101.64, 398.39, 112.44], [61.41, 114.34, 398.39, 125.14], [61.41, 127.04, 398.39, 137.84], [61.41, 147.36, 398.39, 158.16], [61.41, 160.06, 398.39, 170.86], [61.41, 172.76, 398.39, 183.56], [47.64, 135.07, 58.44, 192.65]];

module slab(width, height, corner) {
  translate([corner, corner]) offset(r = corner)
    square([width - 2 * corner, height - 2 * corner]);
}
linear_extrude(thickness) difference() {
  slab(width, height, corner);
  for (p = pockets) translate([p[0], p[1]]) square([p[2] - p[0], p[3] - p[1]]);
  for (at = screws) translate(at) circle(d = screw, $fn = 32);
}
