package io.sluice.lab.api;

import java.util.Arrays;
import java.util.Optional;

/** A kind of objects that the API contains. */
enum ResourceType {
    NODE("", "v1", "nodes", "Node", false, Created.KEPT),
    POD("", "v1", "pods", "Pod", true, Created.PENDING),
    LEASE("coordination.k8s.io", "v1", "leases", "Lease", true, Created.NONE),
    EVENT("", "v1", "events", "Event", true, Created.NONE),
    VM("vm.neon.tech", "v1", "virtualmachines", "VirtualMachine", true, Created.DROPPED),
    ZONES("topology.node.k8s.io", "v1alpha2", "noderesourcetopologies", "NodeResourceTopology", false, Created.NONE),
    MIGRATION("vm.neon.tech", "v1", "virtualmachinemigrations", "VirtualMachineMigration", true, Created.DROPPED);

    /** What happens to the status in a created object; {@code NONE} if the kind has no status. */
    enum Created {
        KEPT,
        DROPPED,
        PENDING,
        NONE
    }

    final String group;
    final String version;
    final String plural;
    final String kind;
    final boolean namespaced;
    final Created status;

    ResourceType(String group, String version, String plural, String kind, boolean namespaced, Created status) {
        this.group = group;
        this.version = version;
        this.plural = plural;
        this.kind = kind;
        this.namespaced = namespaced;
        this.status = status;
    }

    static Optional<ResourceType> of(String group, String version, String plural) {
        return Arrays.stream(values())
                .filter(type -> type.group.equals(group) && type.version.equals(version) && type.plural.equals(plural))
                .findFirst();
    }

    String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    boolean hasSubresource(String name) {
        return switch (name) {
            case "status" -> status != Created.NONE;
            case "binding", "resize" -> this == POD;
            default -> false;
        };
    }

    /** Whether its objects have an amount of CPU and memory. */
    boolean hasSize() {
        return this == VM || this == POD;
    }

    /** An update must name the version that it replaces, except for objects of the core group. */
    boolean updateNeedsVersion() {
        return !group.isEmpty();
    }
}
