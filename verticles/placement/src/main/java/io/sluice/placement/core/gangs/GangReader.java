package io.sluice.placement.core.gangs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.placement.core.gangs.GangKey.Kind;
import io.sluice.placement.core.gangs.GangMember.End;
import io.sluice.placement.core.gangs.GangSpec.MatchPolicy;
import io.sluice.placement.core.gangs.GangSpec.Mode;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads gangs and their members as the Kubernetes side publishes them for scheduling. */
public final class GangReader {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String X_K8S = "scheduling.x-k8s.io";
    private static final String SIGS = "scheduling.sigs.k8s.io";
    private static final String KUBERNETES = "scheduling.k8s.io";
    private static final Set<String> STARTED = Set.of("Scheduled", "Running", "Finished");
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

    private GangReader() {}

    /** The API group of a kind of gangs; empty where it has no objects. */
    public static String apiGroup(Kind kind) {
        return switch (kind) {
            case X_K8S -> X_K8S;
            case SIGS -> SIGS;
            case KUBERNETES -> KUBERNETES;
            case ANNOTATIONS -> "";
        };
    }

    private static Kind kind(String group) {
        return switch (group) {
            case X_K8S -> Kind.X_K8S;
            case SIGS -> Kind.SIGS;
            case KUBERNETES -> Kind.KUBERNETES;
            default -> throw new IllegalArgumentException("unknown API group of a gang: " + group);
        };
    }

    /** The gang of an object that is named by API group, namespace and name. */
    public static GangKey key(String objectKey) {
        var parts = objectKey.split("/");
        return new GangKey(kind(parts[0]), parts[1], parts[2]);
    }

    /**
     * What an object requires.
     *
     * @param options what counts where it does not say it
     * @throws IllegalArgumentException if it is invalid
     */
    public static GangSpec spec(JsonNode object, long version, GangOptions options) {
        var kind = kind(object.path("group").asText());
        var key = new GangKey(
                kind, object.path("namespace").asText(), object.path("name").asText());
        // Kubernetes' own kind may be no gang at all; its pods are placed alone then.
        boolean alone = kind == Kind.KUBERNETES && !object.has("minMember");
        return spec(
                key,
                alone ? 1 : object.path("minMember").asInt(),
                object,
                new GangSpec.Source(object.path("uid").asText(), version),
                alone || STARTED.contains(object.path("phase").asText()),
                options);
    }

    private static GangSpec spec(
            GangKey key,
            int minMember,
            JsonNode fields,
            GangSpec.Source source,
            boolean startedBefore,
            GangOptions options) {
        var annotations = fields.path("annotations");
        var timeout = fields.has("timeoutSeconds")
                ? Duration.ofSeconds(fields.path("timeoutSeconds").asInt())
                : duration(annotations.path("waiting-time").asText("")).orElse(options.timeout());
        return new GangSpec(
                key,
                minMember,
                timeout.compareTo(GangOptions.TIMEOUT_MAX) < 0 ? timeout : GangOptions.TIMEOUT_MAX,
                annotations.path("mode").asText("").equals("NonStrict") ? Mode.NON_STRICT : Mode.STRICT,
                switch (annotations.path("match-policy").asText("")) {
                    case "only-waiting" -> MatchPolicy.ONLY_WAITING;
                    case "waiting-and-running" -> MatchPolicy.WAITING_AND_RUNNING;
                    case "once-satisfied" -> MatchPolicy.ONCE_SATISFIED;
                    default -> options.matchPolicy();
                },
                groups(annotations.path("groups").asText("")),
                createdAt(fields),
                startedBefore,
                source,
                minResources(fields.path("minResources")));
    }

    private static Map<String, Long> minResources(JsonNode amounts) {
        return amounts.properties().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, amount -> amount.getValue().asLong()));
    }

    private static Instant createdAt(JsonNode fields) {
        var text = fields.path("createdAt").asText("");
        return text.isEmpty() ? Instant.EPOCH : OffsetDateTime.parse(text).toInstant();
    }

    private static Optional<Duration> duration(String text) {
        var found = DURATION.matcher(text);
        if (!found.matches()) {
            return Optional.empty();
        }
        long amount = Long.parseLong(found.group(1));
        return Optional.of(
                switch (found.group(2)) {
                    case "ms" -> Duration.ofMillis(amount);
                    case "s" -> Duration.ofSeconds(amount);
                    case "m" -> Duration.ofMinutes(amount);
                    default -> Duration.ofHours(amount);
                });
    }

    private static List<String> groups(String json) {
        if (json.isEmpty()) {
            return List.of();
        }
        try {
            var groups = new ArrayList<String>();
            MAPPER.readTree(json).forEach(group -> groups.add(group.asText()));
            return groups;
        } catch (JsonProcessingException noJson) {
            throw new IllegalArgumentException("the groups of a gang are no JSON: " + noJson.getOriginalMessage());
        }
    }

    /** Whether a pod has ended. */
    public static boolean hasEnded(JsonNode pod) {
        return end(pod) != End.NONE;
    }

    private static End end(JsonNode pod) {
        return switch (pod.path("phase").asText("")) {
            case "Succeeded" -> End.SUCCEEDED;
            case "Failed" -> End.FAILED;
            default -> End.NONE;
        };
    }

    /** Applies to which gang a pod belongs, if to any. */
    public static void apply(JsonNode pod, Gangs gangs) {
        var uid = pod.path("uid").asText();
        var keys = keys(pod);
        if (keys.isEmpty()) {
            gangs.memberGone(uid);
        } else if (keys.size() > 1) {
            gangs.refused(
                    uid,
                    "GANG_TWO_KINDS: it names gang " + keys.get(0).label() + " by "
                            + words(keys.get(0).kind()) + ", and " + keys.get(1).label() + " by "
                            + words(keys.get(1).kind()));
        } else {
            member(pod, keys.getFirst(), gangs);
        }
    }

    private static void member(JsonNode pod, GangKey key, Gangs gangs) {
        if (key.kind() == Kind.ANNOTATIONS
                && gangs.find(key).flatMap(GangRecord::spec).isEmpty()) {
            int least = pod.path("annotations").path("min-available").asInt();
            if (least > 0) {
                gangs.observed(spec(key, least, pod, GangSpec.Source.NONE, false, gangs.options()));
            }
        }
        gangs.observed(new GangMember(
                pod.path("uid").asText(),
                key.namespace(),
                pod.path("name").asText(),
                key,
                pod.path("priority").asInt(),
                pod.path("nodeName").asText(""),
                pod.path("gates").size() > 0 || pod.path("terminating").asBoolean(),
                end(pod),
                pod.path("phase").asText("").equals("Running")));
    }

    /** One key, of what comes first; two where a pod names a gang by two kinds. */
    private static List<GangKey> keys(JsonNode pod) {
        var namespace = pod.path("namespace").asText();
        var labels = pod.path("labels");
        var keys = new ArrayList<GangKey>();
        if (labels.has(X_K8S + "/pod-group")) {
            keys.add(new GangKey(
                    Kind.X_K8S, namespace, labels.path(X_K8S + "/pod-group").asText()));
        } else if (labels.has("pod-group." + SIGS)) {
            keys.add(new GangKey(
                    Kind.SIGS, namespace, labels.path("pod-group." + SIGS).asText()));
        } else if (pod.path("annotations").has("name")) {
            keys.add(new GangKey(
                    Kind.ANNOTATIONS,
                    namespace,
                    pod.path("annotations").path("name").asText()));
        }
        if (pod.has("schedulingGroup")) {
            keys.add(new GangKey(
                    Kind.KUBERNETES, namespace, pod.path("schedulingGroup").asText()));
        }
        return keys;
    }

    private static String words(Kind kind) {
        return switch (kind) {
            case X_K8S, SIGS -> "a label";
            case ANNOTATIONS -> "an annotation";
            case KUBERNETES -> "spec.schedulingGroup";
        };
    }
}
