package io.sluice.lab.api;

import java.util.List;
import java.util.Optional;

/**
 * The meaning of a path: a collection if the name is empty, otherwise one object or a subresource of it.
 *
 * @param type the kind of objects
 * @param namespace the namespace; empty for all, or if the kind has none
 * @param name the object
 * @param subresource the subresource; empty for the object itself
 */
record ApiPath(ResourceType type, String namespace, String name, String subresource) {
    /** Empty if the path names nothing that the API contains. */
    static Optional<ApiPath> of(String path) {
        var parts = List.of(path.substring(1).split("/"));
        if (parts.size() >= 3 && parts.get(0).equals("api")) {
            return inGroup("", parts.get(1), parts.subList(2, parts.size()));
        }
        if (parts.size() >= 4 && parts.get(0).equals("apis")) {
            return inGroup(parts.get(1), parts.get(2), parts.subList(3, parts.size()));
        }
        return Optional.empty();
    }

    boolean isCollection() {
        return name.isEmpty();
    }

    boolean isStatus() {
        return subresource.equals("status");
    }

    boolean isResize() {
        return subresource.equals("resize");
    }

    boolean isBinding() {
        return subresource.equals("binding");
    }

    private static Optional<ApiPath> inGroup(String group, String version, List<String> parts) {
        boolean inNamespace = parts.size() >= 3 && parts.get(0).equals("namespaces");
        var rest = inNamespace ? parts.subList(2, parts.size()) : parts;
        if (rest.size() > 3) {
            return Optional.empty();
        }
        var found = ResourceType.of(group, version, rest.getFirst());
        var name = rest.size() > 1 ? rest.get(1) : "";
        var subresource = rest.size() > 2 ? rest.get(2) : "";
        return found.filter(type -> type.namespaced ? inNamespace || name.isEmpty() : !inNamespace)
                .filter(type -> subresource.isEmpty() || type.hasSubresource(subresource))
                .map(type -> new ApiPath(type, inNamespace ? parts.get(1) : "", name, subresource));
    }
}
