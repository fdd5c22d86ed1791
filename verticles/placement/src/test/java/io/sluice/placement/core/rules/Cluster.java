package io.sluice.placement.core.rules;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.placement.core.spec.SpecReader;
import io.sluice.units.Resources;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A table that is filled from JSON in which quotes are single. */
final class Cluster {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    final ClusterTable table = new ClusterTable();

    static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException noJson) {
            throw new IllegalArgumentException(text, noJson);
        }
    }

    /** A node with 4 CPUs and 10 pods at most. */
    Cluster node(String name, String more) {
        table.observed(SpecReader.node(json("{'name':'" + name + "','allocatable':{'cpu':4000,'pods':10}"
                + (more.isEmpty() ? "" : "," + more) + "}")));
        return this;
    }

    /** A node that differs by its labels alone. */
    Cluster labelled(String name, String labels) {
        return node(name, "'labels':{" + labels + "}");
    }

    Cluster placed(String name, String node, String more) {
        table.placed(pod(name, more).on(node));
        return this;
    }

    static PodSpec pod(String name, String more) {
        return SpecReader.pod(
                json("{'uid':'uid-" + name + "','namespace':'default','name':'" + name + "'"
                        + (more.isEmpty() ? "" : "," + more) + "}"),
                1);
    }

    static PendingPod pending(String more) {
        return new PendingPod(pod("new", more), Resources.NONE);
    }

    /** The names of the nodes that Kubernetes' rules leave. */
    Set<String> fitting(String pod) {
        return SchedulingRules.ofKubernetes().fitting(pending(pod), table).stream()
                .mapToObj(table::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    String reason(String pod) {
        return SchedulingRules.ofKubernetes().reason(pending(pod), table);
    }
}
