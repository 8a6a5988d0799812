// CGAL's mean curvature skeleton of a closed mesh, with its defaults: what ossa is compared with (scripts/static_quality --part peers).
//
// usage: cgal_curve MESH.obj   prints {"seconds": CPU, "nodes": [[x, y, z]...], "edges": [[a, b]...]}
// Built by the part itself where libcgal-dev is installed; never a part of ossa.
#include <CGAL/Simple_cartesian.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/Polygon_mesh_processing/triangulate_faces.h>
#include <CGAL/boost/graph/IO/polygon_mesh_io.h>
#include <CGAL/boost/graph/helpers.h>
#include <CGAL/extract_mean_curvature_flow_skeleton.h>
#include <cstdio>
#include <ctime>

using Kernel = CGAL::Simple_cartesian<double>;
using Mesh = CGAL::Surface_mesh<Kernel::Point_3>;
using Skeletonization = CGAL::Mean_curvature_flow_skeletonization<Mesh>;

int main(int argc, char **argv)
{
	Mesh mesh;
	if (argc < 2 || !CGAL::IO::read_polygon_mesh(argv[1], mesh) || mesh.is_empty()) return std::fputs("not a manifold surface\n", stderr), 3;
	CGAL::Polygon_mesh_processing::triangulate_faces(mesh);
	if (!CGAL::is_closed(mesh)) return std::fputs("not closed\n", stderr), 3;
	Skeletonization::Skeleton curve;
	std::clock_t begin = std::clock();
	CGAL::extract_mean_curvature_flow_skeleton(mesh, curve);
	std::printf("{\"seconds\": %.3f, \"nodes\": [", double(std::clock() - begin) / CLOCKS_PER_SEC);
	const char *comma = "";
	for (auto node : CGAL::make_range(vertices(curve))) {
		auto p = curve[node].point;
		std::printf("%s[%.9g, %.9g, %.9g]", comma, p.x(), p.y(), p.z());
		comma = ", ";
	}
	std::printf("], \"edges\": [");
	comma = "";
	for (auto edge : CGAL::make_range(edges(curve))) {
		std::printf("%s[%d, %d]", comma, int(source(edge, curve)), int(target(edge, curve)));
		comma = ", ";
	}
	std::puts("]}");
	return 0;
}
