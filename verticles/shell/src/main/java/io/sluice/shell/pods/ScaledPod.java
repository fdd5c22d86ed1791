package io.sluice.shell.pods;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.ScaledPodKeys;
import io.sluice.units.VmId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A pod that is to be scaled, as the API server has it. Its size is that of the whole pod: one container's, by the
 * policy its requests or its limits, and the requests of all others. Where the spec has requests and limits of the pod
 * as a whole, those are scaled in place of a container's.
 *
 * @param json the object
 * @param options how it is scaled
 */
public record ScaledPod(JsonNode json, PodOptions options) {
    private static final String NAME = "name";
    private static final String RESOURCES = "resources";
    private static final String REQUESTS = "requests";
    private static final String LIMITS = "limits";
    private static final int MONITOR_PORT = 10_301;
    private static final String MONITOR_PATH = "/monitor";
    private static final String DEFAULT_CONTAINER = "kubectl.kubernetes.io/default-container";

    public ScaledPod {
        Objects.requireNonNull(json, "json");
        Objects.requireNonNull(options, "options");
    }

    /** A resize that the kubelet has not accepted. */
    public record Pending(boolean infeasible, String message) {}

    /** A pod with the options of its annotation; an invalid one counts as none. */
    public static ScaledPod of(JsonNode pod) {
        try {
            return new ScaledPod(pod, PodOptions.of(PodJson.metadata(pod, "annotations", ScaledPodKeys.CONFIG)));
        } catch (IllegalArgumentException invalid) {
            return new ScaledPod(pod, PodOptions.DEFAULTS);
        }
    }

    /** Whether a pod is labelled for scaling. */
    public static boolean isMeant(JsonNode pod) {
        return "true".equals(PodJson.metadata(pod, "labels", ScaledPodKeys.ENABLED));
    }

    /** Its id as a VM. */
    public VmId id() {
        var metadata = json.path("metadata");
        return new VmId(
                ScaledPodKeys.DRIVER,
                metadata.path("namespace").asText(),
                metadata.path(NAME).asText(),
                metadata.path("uid").asText());
    }

    /** The uid of what makes it anew; empty if nothing does. */
    public Optional<String> controller() {
        return json.path("metadata")
                .path("ownerReferences")
                .valueStream()
                .filter(owner -> owner.path("controller").asBoolean())
                .map(owner -> owner.path("uid").asText())
                .findFirst();
    }

    /** The version of the object, as it is written. */
    public String version() {
        return json.path("metadata").path("resourceVersion").asText();
    }

    /** Whether this object is a later one than that; versions of one API server are numbers that grow. */
    public boolean isNewerThan(ScaledPod other) {
        return number(version()) > number(other.version());
    }

    /** The version as a number; 0 if it is none. */
    public long number() {
        return number(version());
    }

    private static long number(String version) {
        try {
            return Long.parseLong(version);
        } catch (NumberFormatException notANumber) {
            return 0;
        }
    }

    /** The value of an annotation; empty if there is none. */
    public String annotation(String key) {
        return PodJson.metadata(json, "annotations", key);
    }

    /** The fence; empty while no runner has claimed it. */
    public String fence() {
        return annotation(ScaledPodKeys.FENCE);
    }

    /** The goal of the last resize, reached or not; empty if there was none. */
    public Optional<Revision> target() {
        return goal().map(Goal::revision);
    }

    /** The goal that the kubelet has reached; one whose resize was not applied yet is not. */
    public Optional<Revision> reached() {
        return goal().filter(goal -> isSettled() && generation() >= goal.generation())
                .map(Goal::revision);
    }

    /** A goal, and the generation that the resize for it makes. */
    private record Goal(Revision revision, long generation) {}

    private Optional<Goal> goal() {
        var parts = annotation(ScaledPodKeys.REVISION).split("/", -1);
        try {
            return parts.length == 3
                    ? Optional.of(new Goal(
                            new Revision(Long.parseLong(parts[0]), Long.parseLong(parts[1])), Long.parseLong(parts[2])))
                    : Optional.empty();
        } catch (NumberFormatException notOurs) {
            return Optional.empty();
        }
    }

    /** The generation of its spec. */
    public long generation() {
        return json.path("metadata").path("generation").asLong();
    }

    /** Whether it runs, and is not being deleted. */
    public boolean runs() {
        return "Running".equals(json.path("status").path("phase").asText()) && !isDeleted();
    }

    /** Whether it is being deleted. */
    public boolean isDeleted() {
        return json.path("metadata").hasNonNull("deletionTimestamp");
    }

    /** Where the container stands among those of the spec; empty if there is none of that name. */
    public Optional<Integer> index() {
        var containers = json.path("spec").path("containers");
        var wanted = Stream.of(annotation(ScaledPodKeys.CONTAINER), annotation(DEFAULT_CONTAINER))
                .filter(name -> !name.isEmpty())
                .findFirst();
        if (wanted.isEmpty()) {
            return Optional.of(0);
        }
        for (int at = 0; at < containers.size(); at++) {
            if (containers.path(at).path(NAME).asText().equals(wanted.get())) {
                return Optional.of(at);
            }
        }
        return Optional.empty();
    }

    /** The container that is scaled. */
    public JsonNode container() {
        return json.path("spec").path("containers").path(index().orElse(-1));
    }

    /** Whether the spec has requests or limits of the pod as a whole, which are scaled in place of a container's. */
    public boolean isWhole() {
        return json.path("spec").path(RESOURCES).isObject()
                && !json.path("spec").path(RESOURCES).isEmpty();
    }

    /** The requests and limits that are scaled: the container's, or those of the pod as a whole. */
    public JsonNode resources() {
        return isWhole() ? json.path("spec").path(RESOURCES) : container().path(RESOURCES);
    }

    /** What is scaled of the requests. */
    public Resources requests() {
        return PodJson.quantities(resources().path(REQUESTS));
    }

    /** What is scaled of the limits; zero where there are none. */
    public Resources limits() {
        return PodJson.quantities(resources().path(LIMITS));
    }

    /** What the pod has beside what is scaled: the other containers, sidecars and the overhead. */
    public Resources others() {
        var overhead = PodJson.quantities(json.path("spec").path("overhead"));
        var name = container().path(NAME).asText();
        return isWhole()
                ? overhead
                : running()
                        .filter(other -> !other.path(NAME).asText().equals(name))
                        .map(other -> PodJson.quantities(other.path(RESOURCES).path(REQUESTS)))
                        .reduce(overhead, Resources::plus);
    }

    /** The containers that run at a time: sidecars too. */
    private Stream<JsonNode> running() {
        var spec = json.path("spec");
        return Stream.concat(
                spec.path("containers").valueStream(),
                spec.path("initContainers")
                        .valueStream()
                        .filter(init -> init.path("restartPolicy").asText().equals("Always")));
    }

    /**
     * The least that the pod as a whole may have: what its containers request, and as much as each has as its limit.
     */
    private Resources leastWhole() {
        var requested = running()
                .map(one -> PodJson.quantities(one.path(RESOURCES).path(REQUESTS)))
                .reduce(Resources.NONE, Resources::plus);
        var limited = running()
                .map(one -> PodJson.quantities(one.path(RESOURCES).path(LIMITS)))
                .reduce(Resources.NONE, Resources::max);
        if (options.policy() == PodOptions.Policy.REQUESTS) {
            return requested;
        }
        var requests = requests();
        var limits = limits();
        return requested.max(
                options.policy() == PodOptions.Policy.LIMITS
                        ? limited
                        : new Resources(
                                inProportion(limited.milliCpu(), requests.milliCpu(), limits.milliCpu()),
                                inProportion(limited.memoryBytes(), requests.memoryBytes(), limits.memoryBytes())));
    }

    /** The request that belongs to a limit, in the proportion that they have now. */
    private static long inProportion(long limited, long request, long limit) {
        return limit == 0 ? 0 : (long) Math.ceil((double) limited / limit * request);
    }

    /** The size of what is scaled: its requests or its limits. */
    public Resources sized() {
        return options.policy() == PodOptions.Policy.LIMITS ? limits() : requests();
    }

    /** The size of the pod by its spec. */
    public Resources spec() {
        return others().plus(sized());
    }

    /**
     * The size of the pod by its status: the most of what is allocated to what is scaled and of what that actually has.
     * Empty until the kubelet reports both.
     */
    public Optional<Resources> status() {
        return inForce().filter(found -> found.has(RESOURCES)).map(found -> others().plus(inForce(found)));
    }

    private Resources inForce(JsonNode found) {
        var actual = found.path(RESOURCES);
        var limits = PodJson.quantities(actual.path(LIMITS));
        if (options.policy() == PodOptions.Policy.LIMITS) {
            return limits;
        }
        var held = PodJson.quantities(found.path("allocatedResources")).max(PodJson.quantities(actual.path(REQUESTS)));
        return new Resources(held.milliCpu(), Math.max(held.memoryBytes(), memoryByLimit(limits.memoryBytes())));
    }

    /** A memory request is no property of a control group, so only a limit that is still higher shows what is held. */
    private long memoryByLimit(long actual) {
        long limit = limits().memoryBytes();
        long request = requests().memoryBytes();
        return limit == 0 || actual <= limit ? 0 : (long) Math.ceil((double) actual / limit * request);
    }

    /**
     * Where its own monitor listens: at the pod's address, by the text of its annotation. Empty without one.
     *
     * @throws IllegalArgumentException if the text is no port and no {@code port/path}, or the path is a kubelet's
     */
    public Optional<Endpoint> monitor(String text) {
        var usual = new Endpoint(json.path("status").path("podIP").asText(""), MONITOR_PORT, MONITOR_PATH);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        var named = usual.at(text);
        if (named.path().equals(ScaledPodKeys.SAMPLES_PATH)) {
            throw new IllegalArgumentException("its path must be that of a monitor, not a kubelet's " + named.path());
        }
        return Optional.of(named);
    }

    /**
     * Its sizes as those of a VM. The least is what it has beside what is scaled; its bounds are those of whoever reads
     * its annotation.
     */
    public VmSizes sizes() {
        var spec = spec();
        var status = status();
        return new VmSizes(others(), status.map(spec::max).orElse(spec), spec, status, 1);
    }

    /** The resize that the kubelet has deferred or refused. */
    public Optional<Pending> pending() {
        return condition("PodResizePending")
                .map(found -> new Pending(
                        "Infeasible".equals(found.path("reason").asText()),
                        found.path("message").asText("")));
    }

    /**
     * The growth for which its kubelet has no room now. Its message names the kind that is short; where it names none,
     * all of the growth counts.
     */
    public Resources deferred() {
        var growth = status().map(spec()::minus).orElse(Resources.NONE);
        return pending()
                .filter(found -> !found.infeasible())
                .map(found -> {
                    boolean cpu = found.message().contains("resource: cpu");
                    boolean memory = found.message().contains("resource: memory");
                    return new Resources(
                            memory && !cpu ? 0 : growth.milliCpu(), cpu && !memory ? 0 : growth.memoryBytes());
                })
                .orElse(Resources.NONE);
    }

    /** Whether the spec has more of some kind than is held, as far as that is known. */
    public boolean isGrowing() {
        return status().filter(held -> !spec().exceeds(held)).isEmpty();
    }

    /** Whether the kubelet has observed the spec, and has accepted it. */
    public boolean isAccepted() {
        return isObserved()
                && pending().isEmpty()
                && inForce()
                        .map(found -> found.path("allocatedResources"))
                        .filter(allocated -> allocated.isMissingNode()
                                || PodJson.quantities(allocated).equals(requests()))
                        .isPresent();
    }

    /** Whether the kubelet has nothing left to do: the container has what its spec has. */
    public boolean isSettled() {
        return isAccepted()
                && condition("PodResizeInProgress").isEmpty()
                && status().filter(spec()::equals).isPresent();
    }

    /** Whether the status is of this spec, or of a later one. */
    public boolean isObserved() {
        return json.path("status").path("observedGeneration").asLong() >= generation();
    }

    private Optional<JsonNode> condition(String type) {
        return json.path("status")
                .path("conditions")
                .valueStream()
                .filter(found -> found.path("type").asText().equals(type)
                        && !found.path("status").asText("True").equals("False"))
                .findFirst();
    }

    /** Where the kubelet reports what is allocated and in force: of the container, or of the pod as a whole. */
    public Optional<JsonNode> inForce() {
        return isWhole() ? Optional.of(json.path("status")) : containerStatus();
    }

    /** What the kubelet reports of the container. */
    public Optional<JsonNode> containerStatus() {
        var name = container().path(NAME).asText();
        return json.path("status")
                .path("containerStatuses")
                .valueStream()
                .filter(found -> found.path(NAME).asText().equals(name))
                .findFirst();
    }

    /** Why the pod cannot be scaled as long as it is as it is, one sentence each. */
    public List<String> obstacles() {
        var found = new ArrayList<String>();
        if (index().isEmpty()) {
            return List.of("no container has the name that its annotation has");
        }
        if (json.path("metadata").path("annotations").has("kubernetes.io/config.mirror")) {
            found.add("it is a static pod, which cannot be resized");
        }
        var policy = options.policy();
        if (requests().hasZero()) {
            found.add(
                    isWhole()
                            ? "it has requests or limits of the pod as a whole, but not requests of both CPU and memory"
                            : "its container requests no CPU or no memory, and a request may not change its QoS class");
        } else if (isGuaranteed() && policy != PodOptions.Policy.BOTH) {
            found.add("its QoS class is Guaranteed, which only policy both keeps");
        } else if (policy == PodOptions.Policy.LIMITS && limits().hasZero()) {
            found.add((isWhole() ? "it" : "its container")
                    + " has no limit of CPU or of memory, and policy limits changes them");
        }
        return found;
    }

    /** Whether the QoS class of the pod is Guaranteed. */
    public boolean isGuaranteed() {
        return "Guaranteed".equals(json.path("status").path("qosClass").asText());
    }

    /**
     * Whether the container would be restarted by a resize of that resource, {@code cpu} or {@code memory}. What the
     * pod has as a whole changes without that.
     */
    public boolean restartsFor(String resource) {
        return !isWhole()
                && container()
                        .path("resizePolicy")
                        .valueStream()
                        .anyMatch(policy -> policy.path("resourceName").asText().equals(resource)
                                && policy.path("restartPolicy").asText().equals("RestartContainer"));
    }

    /**
     * The bounds of the pod: those of its container, where policy and restart policy allow them, and all that is beside
     * it.
     */
    public PodBounds bounds(PodBounds written) {
        var min = written.min();
        var max = written.max();
        var now = sized();
        if (options.policy() == PodOptions.Policy.REQUESTS) {
            max = max.min(orNone(limits()));
            min = min.min(max);
        } else if (options.policy() == PodOptions.Policy.LIMITS) {
            min = min.max(requests());
            max = max.max(min);
        }
        if (isWhole()) {
            min = min.max(leastWhole());
            max = max.max(min);
        }
        boolean fixedCpu = restartsFor("cpu") && !options.allowRestart();
        boolean fixedMemory = restartsFor("memory") && !options.allowRestart();
        return new PodBounds(
                others().plus(fixed(min, now, fixedCpu, fixedMemory)),
                others().plus(fixed(max, now, fixedCpu, fixedMemory)));
    }

    private static Resources fixed(Resources bound, Resources now, boolean cpu, boolean memory) {
        return new Resources(cpu ? now.milliCpu() : bound.milliCpu(), memory ? now.memoryBytes() : bound.memoryBytes());
    }

    private static Resources orNone(Resources limits) {
        return new Resources(
                limits.milliCpu() == 0 ? Long.MAX_VALUE : limits.milliCpu(),
                limits.memoryBytes() == 0 ? Long.MAX_VALUE : limits.memoryBytes());
    }
}
