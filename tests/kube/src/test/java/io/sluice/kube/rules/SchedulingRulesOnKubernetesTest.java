package io.sluice.kube.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.KubeScheduler;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.lab.api.RawApi;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.neonvm.core.objects.SchedulingFields;
import io.sluice.placement.core.rules.ClusterTable;
import io.sluice.placement.core.rules.SchedulingRules;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.SpecReader;
import io.sluice.units.Resources;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: Sluice's rules allow a pod exactly the nodes that kube-scheduler's allow it. Method: a real kube-scheduler
 * passes the nodes that it found to an extender that records them. Most pods have one rule alone, so that it can be
 * counted how often each excludes nodes and how often it allows some; the others have several.
 */
@OnKubernetes
class SchedulingRulesOnKubernetesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int PODS = Integer.getInteger("rules.pods", 1_000);
    private static final int PODS_OF_20_DECISIONS = 5_000;
    private static final int BATCH = 100;
    private static final int CREATED = 201;
    private static final int INVALID = 422;
    private static final String NAME = "recorded";
    private static final String PATH = "/api/v1/namespaces/default/pods";
    private static final String GATES = "TaintTolerationComparisonOperators=true";
    private static final Duration DECIDED_MAX = Duration.ofSeconds(120);

    private static ControlPlane plane;
    private static KubernetesClient client;
    private static RawApi api;
    private static RecordingExtender extender;
    private static KubeScheduler scheduler;
    private static ClusterTable table;

    private final Random random = new Random(Long.getLong("rules.seed", 11));
    private final Map<PodRule, Integer> allowed = new EnumMap<>(PodRule.class);
    private final Map<PodRule, Integer> excluded = new EnumMap<>(PodRule.class);

    @BeforeAll
    static void start(@TempDir Path folder) {
        plane = ControlPlane.withGates(folder, GATES);
        client = KubernetesConnection.open(plane.admin());
        api = new RawApi(client);
        var fleet = new RuleFleet(api, new Random(Long.getLong("rules.seed", 11)));
        fleet.create();
        extender = new RecordingExtender();
        scheduler = KubeScheduler.recorded(plane.admin(), folder, NAME, extender.url(), GATES);
        table = fleet.table();
    }

    @AfterAll
    static void stop() {
        scheduler.close();
        extender.close();
        client.close();
        plane.close();
    }

    /** A pod of the test and the rules that it has. */
    private record Drawn(EnumSet<PodRule> rules, JsonNode pod) {
        String uid() {
            return pod.at("/metadata/uid").asText();
        }
    }

    @Test
    void allowsTheNodesThatKubeSchedulerAllows() {
        var differences = new ArrayList<String>();
        for (int first = 0; first < PODS; first += BATCH) {
            var batch = new ArrayList<Drawn>();
            for (int number = first; number < Math.min(PODS, first + BATCH); number++) {
                batch.add(create(number));
            }
            awaitDecided(batch);
            batch.forEach(drawn -> compare(drawn, differences));
            batch.forEach(drawn ->
                    api.delete(PATH + "/" + drawn.pod.at("/metadata/name").asText(), "{}"));
        }
        assertThat(differences).isEmpty();
        int least = 20 * PODS / PODS_OF_20_DECISIONS;
        for (var rule : PodRule.values()) {
            assertThat(excluded.getOrDefault(rule, 0))
                    .as("pods from which %s kept nodes", rule)
                    .isGreaterThanOrEqualTo(least);
            if (rule != PodRule.VOLUME_MISSING) {
                assertThat(allowed.getOrDefault(rule, 0))
                        .as("pods to which %s left nodes", rule)
                        .isGreaterThanOrEqualTo(least);
            }
        }
    }

    /** Rules that the API server does not accept together are drawn anew. */
    private Drawn create(int number) {
        while (true) {
            var rules = draw(number);
            var pod = read("{\"metadata\":{\"name\":\"p-" + number + "\",\"labels\":{\"app\":\"t\"}},\"spec\":{"
                    + "\"schedulerName\":\"" + NAME + "\",\"tolerations\":[{\"operator\":\"Exists\"}],"
                    + "\"terminationGracePeriodSeconds\":0,\"containers\":[{\"name\":\"c\",\"image\":\"none\"}]}}");
            rules.forEach(rule -> add(rule.draw(random), pod));
            var made = api.post(PATH, pod.toString());
            if (made.status() == CREATED) {
                return new Drawn(rules, made.body());
            }
            assertThat(made.status()).as("%s", made.body()).isEqualTo(INVALID);
            assertThat(rules).as("%s", made.body()).hasSizeGreaterThan(1);
        }
    }

    private EnumSet<PodRule> draw(int number) {
        var all = PodRule.values();
        var rules = EnumSet.of(all[number % all.length]);
        if (random.nextInt(4) == 0) {
            rules.add(all[random.nextInt(all.length)]);
            rules.add(all[random.nextInt(all.length)]);
        }
        return rules;
    }

    /**
     * What a rule says of tolerations replaces what was there; everything else is added. Names must not be used twice.
     */
    static void add(String piece, ObjectNode pod) {
        var spec = (ObjectNode) pod.path("spec");
        if (piece.contains("tolerations")) {
            spec.remove("tolerations");
        }
        merge(read(piece), pod);
        for (var list : List.of("containers", "initContainers", "volumes")) {
            int number = 0;
            for (var item : spec.path(list)) {
                ((ObjectNode) item).put("name", list.substring(0, 1).toLowerCase(Locale.ROOT) + number++);
            }
        }
    }

    private static void merge(JsonNode from, ObjectNode to) {
        from.properties().forEach(field -> {
            var there = to.path(field.getKey());
            if (there.isObject()) {
                merge(field.getValue(), (ObjectNode) there);
            } else if (there.isArray()) {
                ((ArrayNode) there).addAll((ArrayNode) field.getValue());
            } else {
                to.set(field.getKey(), field.getValue());
            }
        });
    }

    static ObjectNode read(String json) {
        try {
            return (ObjectNode) JSON.readTree(json);
        } catch (JsonProcessingException noJson) {
            throw new UncheckedIOException(noJson);
        }
    }

    /** kube-scheduler writes a condition after each attempt, since the extender lets no pod be bound. */
    private static void awaitDecided(List<Drawn> batch) {
        var open = batch.stream().map(Drawn::uid).collect(Collectors.toCollection(TreeSet::new));
        await().atMost(DECIDED_MAX).until(() -> {
            api.get(PATH + "?labelSelector=app").body().path("items").forEach(pod -> {
                if (pod.at("/status/conditions/0/type").asText().equals("PodScheduled")) {
                    open.remove(pod.at("/metadata/uid").asText());
                }
            });
            return open.isEmpty();
        });
    }

    private void compare(Drawn drawn, List<String> differences) {
        var expected = extender.nodes(drawn.uid());
        var found = fitting(drawn.pod);
        if (!found.equals(expected)) {
            differences.add("%s: Sluice allows also %s, kube-scheduler also %s: %s"
                    .formatted(
                            drawn.rules, without(found, expected), without(expected, found), drawn.pod.path("spec")));
        }
        if (drawn.rules.size() == 1) {
            var rule = drawn.rules.iterator().next();
            var base = drawn.pod.<ObjectNode>deepCopy();
            base.set("spec", read("{\"tolerations\":[{\"operator\":\"Exists\"}]}"));
            ((ObjectNode) base.path("metadata")).remove("labels");
            excluded.merge(rule, fitting(base).size() > expected.size() ? 1 : 0, Integer::sum);
            allowed.merge(rule, expected.isEmpty() ? 0 : 1, Integer::sum);
        }
    }

    private static Set<String> fitting(JsonNode pod) {
        var pending = new PendingPod(SpecReader.pod(SchedulingFields.pod(pod), 0), Resources.NONE);
        return SchedulingRules.ofKubernetes().fitting(pending, table).stream()
                .mapToObj(table::name)
                .collect(Collectors.toSet());
    }

    private static Set<String> without(Set<String> nodes, Set<String> others) {
        var rest = new TreeSet<>(nodes);
        rest.removeAll(others);
        return rest;
    }
}
