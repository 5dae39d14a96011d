// The base of the case; boxes are left, front, bottom, right, back, top. Print it as it stands.
// Made by `cribboard draw`. Millimetres.
width = 96;
height = 144;
inside = 46;
wall = 2.4;
floor = 2.4;
corner = 4;
pillar = 8;
pillar_hole = 2.5;
pillar_deep = 14;
boss = 6.5;
boss_hole = 2.7;
sink = 5.4;
sink_deep = 3;
grille_hole = 3;
lift = 60;
pillars = [[4.5, 4.5, 2.4, 46], [4.5, 139.5, 2.4, 46], [91.5, 4.5, 2.4, 46], [91.5, 139.5, 2.4, 46]];
slot = [[41.3, 135.7, 2.4, 43.7, 141.6, 22.9], [41.3, 135.7, 2.4, 47.5, 138.1, 22.9], [84.3, 135.7, 2.4, 86.7, 141.6, 22.9], [80.5, 135.7, 2.4, 86.7, 138.1, 22.9]];
vents = [[15.6, 17, -1, 57.6, 20, 3.4], [15.6, 23.5, -1, 57.6, 26.5, 3.4], [15.6, 30, -1, 57.6, 33, 3.4], [15.6, 36.5, -1, 57.6, 39.5, 3.4], [15.6, 43, -1, 57.6, 46, 3.4], [15.6, 49.5, -1, 57.6, 52.5, 3.4], [15.6, 56, -1, 57.6, 59, 3.4]];
grille = [[56.5, 9.91], [61.5, 9.91], [66.5, 9.91], [71.5, 9.91], [54, 14.24], [59, 14.24], [64, 14.24], [69, 14.24], [74, 14.24], [51.5, 18.57], [56.5, 18.57], [61.5, 18.57], [66.5, 18.57], [71.5, 18.57], [76.5, 18.57], [49, 22.9], [54, 22.9], [59, 22.9], [64, 22.9], [69, 22.9], [74, 22.9], [79, 22.9], [51.5, 27.23], [56.5, 27.23], [61.5, 27.23], [66.5, 27.23], [71.5, 27.23], [76.5, 27.23], [54, 31.56], [59, 31.56], [64, 31.56], [69, 31.56], [74, 31.56], [56.5, 35.89], [61.5, 35.89], [66.5, 35.89], [71.5, 35.89]];
bosses_full = [[7.1, 12.5, 2.4, 6.4], [65.1, 12.5, 2.4, 6.4], [7.1, 61.5, 2.4, 6.4], [65.1, 61.5, 2.4, 6.4]];
windows_full = [[-1, 29.5, 3.6, 3.4, 44.5, 8.6], [92.6, 10, 7.5, 97, 27.3, 25.3], [92.6, 28.4, 7.5, 97, 45.6, 25.3], [92.6, 46.7, 7.5, 97, 64, 25.3], [8.9, -1, 7, 21.6, 3.4, 14.5], [92.6, 72, 26, 97, 92, 47]];
bosses_zero = [[7.1, 38.5, 2.4, 6.4], [65.1, 38.5, 2.4, 6.4], [7.1, 61.5, 2.4, 6.4], [65.1, 61.5, 2.4, 6.4]];
windows_zero = [[-1, 44, 6.8, 3.4, 60, 11.8], [92.6, 72, 26, 97, 92, 47]];

parts_full = [
  [3.60, 9.00, 6.40, 88.60, 65.00, 8.00, "ForestGreen"], // Pi: board
  [11.10, 10.50, 4.40, 61.10, 63.50, 6.40, "ForestGreen"], // Pi: leads between screws
  [5.10, 16.50, 4.40, 87.10, 57.50, 6.40, "ForestGreen"], // Pi: leads beside screws
  [69.10, 10.00, 8.00, 91.60, 64.00, 24.50, "ForestGreen"], // Pi: usb and network
  [10.10, 7.50, 8.00, 63.60, 17.00, 15.00, "ForestGreen"], // Pi: front sockets
  [15.60, 19.00, 8.00, 53.60, 53.00, 16.00, "ForestGreen"], // Pi: heat sink
  [10.10, 59.00, 8.00, 62.10, 64.30, 25.00, "ForestGreen"], // Pi: header
  [0.80, 31.00, 4.40, 15.60, 43.00, 6.40, "ForestGreen"], // Pi: card
  [6.20, 98.80, 41.00, 41.80, 132.60, 46.00, "MidnightBlue"], // display
  [18.00, 128.60, 23.00, 30.00, 132.60, 46.00, "MidnightBlue"], // display: plug
  [64.00, 100.00, 20.00, 80.00, 116.00, 46.00, "Silver"], // button
  [37.00, 13.50, 40.00, 59.00, 16.00, 46.00, "Wheat"], // keypad: ribbon
  [44.00, 138.10, 2.90, 84.00, 141.60, 42.90, "DimGray"], // speaker: rim
  [48.50, 121.60, 7.40, 79.50, 138.10, 38.40, "DimGray"], // speaker: magnet
  [10.00, 106.00, 2.40, 34.00, 130.00, 12.40, "Gold"], // piezo
  [6.75, 78.25, 2.40, 25.25, 97.75, 14.40, "Wheat"], // amplifier
  [69.60, 72.00, 26.00, 93.60, 92.00, 46.00, "Khaki"], // cables
];
parts_zero = [
  [3.60, 35.00, 6.40, 68.60, 65.00, 8.00, "ForestGreen"], // Pi: board
  [11.10, 36.50, 4.40, 61.10, 63.50, 6.40, "ForestGreen"], // Pi: leads between screws
  [5.10, 42.50, 4.40, 67.10, 57.50, 6.40, "ForestGreen"], // Pi: leads beside screws
  [40.60, 7.00, 6.00, 63.60, 34.00, 15.00, "ForestGreen"], // Pi: plugs
  [11.60, 33.80, 8.00, 63.60, 41.00, 12.00, "ForestGreen"], // Pi: front sockets
  [23.60, 43.00, 8.00, 43.60, 57.00, 14.00, "ForestGreen"], // Pi: heat sink
  [10.10, 59.00, 8.00, 62.10, 64.30, 25.00, "ForestGreen"], // Pi: header
  [1.30, 46.00, 8.00, 15.60, 58.00, 9.80, "ForestGreen"], // Pi: card
  [6.20, 98.80, 41.00, 41.80, 132.60, 46.00, "MidnightBlue"], // display
  [18.00, 128.60, 23.00, 30.00, 132.60, 46.00, "MidnightBlue"], // display: plug
  [64.00, 100.00, 20.00, 80.00, 116.00, 46.00, "Silver"], // button
  [37.00, 13.50, 40.00, 59.00, 16.00, 46.00, "Wheat"], // keypad: ribbon
  [44.00, 138.10, 2.90, 84.00, 141.60, 42.90, "DimGray"], // speaker: rim
  [48.50, 121.60, 7.40, 79.50, 138.10, 38.40, "DimGray"], // speaker: magnet
  [10.00, 106.00, 2.40, 34.00, 130.00, 12.40, "Gold"], // piezo
  [6.75, 78.25, 2.40, 25.25, 97.75, 14.40, "Wheat"], // amplifier
  [69.60, 72.00, 26.00, 93.60, 92.00, 46.00, "Khaki"], // cables
];

part = "base"; // or "assembly": the base with everything in it and the lid above; or "parts", "collisions"
pi = "full";   // 3B+, 4 and 5; or "zero" for a Zero 2 W

use <bezel.scad>
module box(b, less = 0) translate([b[0] + less, b[1] + less, b[2] + less])
  cube([b[3] - b[0] - 2 * less, b[4] - b[1] - 2 * less, b[5] - b[2] - 2 * less]);
module post(p, d) translate([p[0], p[1], p[2] - 0.01]) cylinder(h = p[3] - p[2] + 0.01, d = d, $fn = 32);
function bosses() = pi == "zero" ? bosses_zero : bosses_full;
function windows() = pi == "zero" ? windows_zero : windows_full;
function parts() = pi == "zero" ? parts_zero : parts_full;

module base() difference() {
  union() {
    difference() {
      linear_extrude(inside) slab(width, height, corner);
      translate([wall, wall, floor]) linear_extrude(inside) slab(width - 2 * wall, height - 2 * wall, corner - wall);
    }
    for (p = pillars) post(p, pillar);
    for (p = bosses()) post(p, boss);
    for (b = slot) box([b[0], b[1], b[2] - 0.01, b[3], b[4] + 0.01, b[5]]);
  }
  for (b = concat(windows(), vents)) box(b);
  for (at = grille) translate([at[0], height + 1, at[1]]) rotate([90, 0, 0])
    cylinder(h = wall + 2, d = grille_hole, $fn = 16);
  for (p = pillars) translate([p[0], p[1], inside - pillar_deep])
    cylinder(h = pillar_deep + 1, d = pillar_hole, $fn = 24);
  for (p = bosses()) translate([p[0], p[1], -1]) {
    cylinder(h = p[3] + 2, d = boss_hole, $fn = 24);
    cylinder(h = sink_deep + 1, d = sink, $fn = 32);
  }
}
module in_it() for (b = parts()) color(b[6]) box(b, 0.02);
module lid() translate([0, 0, inside]) bezel();

if (part == "base") base();
if (part == "parts") in_it();
if (part == "collisions") intersection() { union() { base(); lid(); } in_it(); }
if (part == "assembly") {
  color("SlateGray") base();
  in_it();
  translate([0, 0, lift]) color("LightSlateGray") lid();
}
