package io.sluice.placement.core.rules;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.messages.ledger.grant.NearestGrant;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.placement.core.spec.SpecReader;
import io.sluice.shell.explain.GrantText;
import io.sluice.units.Resources;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A table that is filled from JSON in which quotes are single. */
public final class Cluster {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    public final ClusterTable table = new ClusterTable();

    public static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException noJson) {
            throw new IllegalArgumentException(text, noJson);
        }
    }

    /** A node with 4 CPUs and 10 pods at most. */
    public Cluster node(String name, String more) {
        table.observed(SpecReader.node(json("{'name':'" + name + "','allocatable':{'cpu':4000,'pods':10}"
                + (more.isEmpty() ? "" : "," + more) + "}")));
        return this;
    }

    /** A node that differs by its labels alone. */
    public Cluster labelled(String name, String labels) {
        return node(name, "'labels':{" + labels + "}");
    }

    public Cluster placed(String name, String node, String more) {
        table.placed(pod(name, more).on(node));
        return this;
    }

    public static PodSpec pod(String name, String more) {
        return SpecReader.pod(
                json("{'uid':'uid-" + name + "','namespace':'default','name':'" + name + "'"
                        + (more.isEmpty() ? "" : "," + more) + "}"),
                1);
    }

    public static PendingPod pending(String more) {
        return new PendingPod(pod("new", more), Resources.NONE);
    }

    /** The names of the nodes that Kubernetes' rules leave. */
    public Set<String> fitting(String pod) {
        return SchedulingRules.ofKubernetes().fitting(pending(pod), table).stream()
                .mapToObj(table::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** What would let a node take the pod that one rule alone excludes. */
    public NearestGrant nearest(String pod) {
        return SchedulingRules.ofKubernetes().excludedAlone(pending(pod), table);
    }

    /** The same in words. */
    public String excludedAlone(String pod) {
        return GrantText.sentence(nearest(pod));
    }

    public String reason(String pod) {
        return SchedulingRules.ofKubernetes().reason(pending(pod), table);
    }
}
