package io.sluice.placement.core.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.placement.core.elastic.ElasticJob.Handover;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A job as the Kubernetes side publishes it.
 *
 * @param id its namespace and name
 * @param job as it is planned; empty if it is broken
 * @param broken why it cannot be planned; empty if it can
 * @param replicas how many members what it scales should have
 * @param object all that was observed
 */
public record ObservedJob(String id, Optional<ElasticJob> job, String broken, int replicas, JsonNode object) {
    private static final String CPU = "cpu";
    private static final String MEMORY = "memory";

    public ObservedJob {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(job, "job");
        Objects.requireNonNull(broken, "broken");
        Objects.requireNonNull(object, "object");
    }

    public static ObservedJob of(JsonNode object) {
        var id = object.path("namespace").asText("") + "/" + object.path("name").asText("");
        var broken = object.path("broken").asText("");
        int replicas = object.path("replicas").asInt();
        if (!broken.isEmpty()) {
            return new ObservedJob(id, Optional.empty(), broken, replicas, object);
        }
        try {
            return new ObservedJob(id, Optional.of(job(object, replicas)), "", replicas, object);
        } catch (IllegalArgumentException | DateTimeException invalid) {
            return new ObservedJob(id, Optional.empty(), String.valueOf(invalid.getMessage()), replicas, object);
        }
    }

    /** What ran before the job existed goes on. */
    private static ElasticJob job(JsonNode object, int replicas) {
        var status = object.path("status");
        var member = member(object);
        var members = new ArrayList<ElasticMember>();
        object.path("pods").forEach(pod -> members.add(member(pod, member)));
        var smallest = cpuAndMemory(amounts(object.path("inPlace"))).min(member.amounts());
        return new ElasticJob(
                object.path("namespace").asText(""),
                object.path("name").asText(""),
                time(object.path("createdAt")).orElse(Instant.EPOCH),
                object.path("priority").asInt(),
                object.path("min").asInt(),
                object.path("max").asInt(),
                status.has("target") ? status.path("target").asInt() : replicas,
                member,
                members,
                smallest.hasZero() || smallest.equals(member.amounts()) ? Optional.empty() : Optional.of(smallest),
                time(status.path("shrunkAt")),
                handover(status.path("handover")));
    }

    private static ElasticMember member(JsonNode pod, ElasticMemberRequest full) {
        var counted = pod.has("requests") ? cpuAndMemory(amounts(pod.path("requests"))) : full.amounts();
        return new ElasticMember(
                pod.path("name").asText(""),
                pod.path("node").asText(""),
                counted,
                pod.has("desired") ? cpuAndMemory(amounts(pod.path("desired"))) : counted,
                pod.path("resizable").asBoolean());
    }

    private static ElasticMemberRequest member(JsonNode object) {
        var requests = amounts(object.path("requests"));
        var limits = amounts(object.path("limits"));
        var amounts = cpuAndMemory(requests);
        requests.remove(CPU);
        requests.remove(MEMORY);
        requests.put(FixedAmounts.PODS, 1L);
        return new ElasticMemberRequest(amounts, FixedAmounts.of(requests), cpuAndMemory(limits));
    }

    private static Resources cpuAndMemory(Map<String, Long> amounts) {
        return new Resources(amounts.getOrDefault(CPU, 0L), amounts.getOrDefault(MEMORY, 0L));
    }

    private static Optional<Handover> handover(JsonNode handover) {
        var givers = new HashMap<String, Integer>();
        handover.path("givers")
                .properties()
                .forEach(giver -> givers.put(giver.getKey(), giver.getValue().asInt()));
        return time(handover.path("since")).map(since -> new Handover(since, givers));
    }

    private static Optional<Instant> time(JsonNode text) {
        return text.asText("").isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text.asText()));
    }

    private static Map<String, Long> amounts(JsonNode node) {
        var amounts = new TreeMap<String, Long>();
        node.properties()
                .forEach(
                        amount -> amounts.put(amount.getKey(), amount.getValue().asLong()));
        return amounts;
    }

    /** What the quotas of all namespaces leave. */
    public static ElasticQuota quotas(List<ObservedJob> jobs) {
        var left = new HashMap<String, Map<String, Long>>();
        jobs.forEach(job -> {
            var quota = amounts(job.object.path("quota"));
            if (!quota.isEmpty()) {
                left.put(job.object.path("namespace").asText(""), quota);
            }
        });
        return new ElasticQuota(left);
    }
}
