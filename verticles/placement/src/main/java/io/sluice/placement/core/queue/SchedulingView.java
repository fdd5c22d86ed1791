package io.sluice.placement.core.queue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.messages.cluster.SchedulingChange;
import io.sluice.messages.cluster.SchedulingChange.Kind;
import io.sluice.placement.core.gangs.GangOptions;
import io.sluice.placement.core.gangs.GangReader;
import io.sluice.placement.core.gangs.Gangs;
import io.sluice.placement.core.rules.ClusterTable;
import io.sluice.placement.core.spec.DisruptionBudget;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.placement.core.spec.SpecReader;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was observed for scheduling. It is complete once a full list has come through. Older observations change
 * nothing; what was deleted during a full list does not come back by it.
 */
public final class SchedulingView {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final String scheduler;
    private final ClusterTable table = new ClusterTable();
    private final Gangs gangs;
    private final boolean readsGangs;
    private final Map<String, PodSpec> pending = new HashMap<>();
    private final Map<String, DisruptionBudget> budgets = new HashMap<>();
    private final Map<Id, Known> known = new HashMap<>();
    private final Map<Id, Long> gone = new HashMap<>();
    private long list;
    private int listed;

    /** An object. */
    private record Id(Kind kind, String key) {}

    /** The version that was observed last, and the last full list that had the object. */
    private record Known(long version, long list) {}

    /** @param scheduler the name of the scheduler whose pods are to be placed */
    public SchedulingView(String scheduler) {
        this(scheduler, false, GangOptions.DEFAULTS);
    }

    /** @param readsGangs whether pods that name a gang start with it */
    public SchedulingView(String scheduler, boolean readsGangs, GangOptions options) {
        this.gangs = new Gangs(options);
        this.scheduler = scheduler;
        this.readsGangs = readsGangs;
    }

    /** The effect of a change. */
    public enum Effect {
        NONE,
        /** Nodes may have room for more pods. */
        CHANGED,
        /** A full list has come through. */
        LISTED,
        /** A full list lacked objects, so another one is needed. */
        INCOMPLETE
    }

    /**
     * Applies a change.
     *
     * @throws IllegalArgumentException if an object cannot be read
     */
    public Effect apply(SchedulingChange change) {
        return switch (change) {
            case SchedulingChange.Observed observed -> observed(observed);
            case SchedulingChange.Gone(var kind, var key, var version) -> gone(new Id(kind, key), version);
            case SchedulingChange.ListBegun(var number) -> {
                list = number;
                listed = 0;
                gone.clear();
                yield Effect.NONE;
            }
            case SchedulingChange.Listed(var number, var objects) -> listed(number, objects);
        };
    }

    private Effect observed(SchedulingChange.Observed observed) {
        var id = new Id(observed.kind(), observed.key());
        if (observed.list() != 0 && observed.list() == list) {
            listed++;
        }
        var before = known.get(id);
        long inList = observed.list() != 0 ? observed.list() : before == null ? list : before.list;
        if (gone.getOrDefault(id, -1L) >= observed.version()) {
            return Effect.NONE;
        }
        if (before != null && before.version >= observed.version()) {
            known.put(id, new Known(before.version, inList));
            return Effect.NONE;
        }
        known.put(id, new Known(observed.version(), inList));
        put(observed, json(observed.fields()));
        return Effect.CHANGED;
    }

    private void put(SchedulingChange.Observed observed, JsonNode fields) {
        switch (observed.kind()) {
            case POD -> {
                if (readsGangs) {
                    GangReader.apply(fields, gangs);
                }
                if (GangReader.hasEnded(fields)) {
                    pending.remove(observed.key());
                    table.podGone(observed.key());
                } else {
                    pod(SpecReader.pod(fields, observed.version()));
                }
            }
            case POD_GROUP -> gangs.observed(GangReader.spec(fields, observed.version(), gangs.options()));
            case NODE -> table.observed(SpecReader.node(fields));
            case NAMESPACE -> table.namespace(observed.key(), SpecReader.labels(fields));
            case VOLUME_CLAIM -> table.observed(SpecReader.claim(fields, observed.version()));
            case VOLUME -> table.observed(SpecReader.volume(fields, observed.version()));
            case STORAGE_CLASS -> table.observed(SpecReader.storageClass(fields));
            case DRIVERS -> table.attachLimits(observed.key(), SpecReader.attachLimits(fields));
            case ATTACHMENT -> table.observed(SpecReader.attachment(fields));
            case DISRUPTION_BUDGET -> budgets.put(observed.key(), SpecReader.budget(fields));
        }
    }

    /** A pod that this scheduler has assigned to a node is not yet bound in observations; it stays assigned. */
    private void pod(PodSpec pod) {
        if (!pod.node().isEmpty()) {
            pending.remove(pod.uid());
            table.placed(pod);
        } else {
            pending.put(pod.uid(), pod);
        }
    }

    private static JsonNode json(String fields) {
        try {
            return MAPPER.readTree(fields);
        } catch (JsonProcessingException noJson) {
            throw new IllegalArgumentException("the fields of an object are no JSON: " + noJson.getOriginalMessage());
        }
    }

    private Effect gone(Id id, long version) {
        gone.merge(id, version, Math::max);
        var before = known.get(id);
        if (before == null || before.version > version) {
            return Effect.NONE;
        }
        remove(id);
        return Effect.CHANGED;
    }

    private void remove(Id id) {
        known.remove(id);
        var key = id.key();
        switch (id.kind()) {
            case POD_GROUP -> gangs.specGone(GangReader.key(key));
            case POD -> {
                gangs.memberGone(key);
                pending.remove(key);
                table.podGone(key);
            }
            case NODE -> table.nodeGone(key);
            case NAMESPACE -> table.namespaceGone(key);
            case VOLUME_CLAIM ->
                table.claimGone(key.substring(0, key.indexOf('/')), key.substring(key.indexOf('/') + 1));
            case VOLUME -> table.volumeGone(key);
            case DRIVERS -> table.attachLimits(key, Map.of());
            case ATTACHMENT -> table.attachmentGone(key);
            case STORAGE_CLASS -> table.storageClassGone(key);
            case DISRUPTION_BUDGET -> budgets.remove(key);
        }
    }

    private Effect listed(long number, int objects) {
        if (number != list) {
            return Effect.NONE;
        }
        if (listed != objects) {
            return Effect.INCOMPLETE;
        }
        known.entrySet().stream()
                .filter(object -> object.getValue().list != number)
                .map(Map.Entry::getKey)
                .toList()
                .forEach(this::remove);
        return Effect.LISTED;
    }

    /** The annotations of an observed object, of those that are published. */
    public static Map<String, String> annotations(String fields) {
        return SpecReader.texts(json(fields).path("annotations"));
    }

    /** The nodes and the pods on them. */
    public ClusterTable table() {
        return table;
    }

    /** All gangs. */
    public Gangs gangs() {
        return gangs;
    }

    /** All pods of the scheduler that wait for a node, and all of gangs; a copy. */
    public List<PodSpec> waiting() {
        return pending.values().stream()
                .filter(pod -> isOwn(pod) || gangs.of(pod.uid()).isPresent())
                .toList();
    }

    /** A pod of the scheduler that waits for a node. */
    public Optional<PodSpec> waiting(String uid) {
        return pending(uid).filter(this::isOwn);
    }

    private boolean isOwn(PodSpec pod) {
        return pod.schedulerName().equals(scheduler);
    }

    /** A pod of any scheduler that waits for a node. */
    public Optional<PodSpec> pending(String uid) {
        return Optional.ofNullable(pending.get(uid));
    }

    /** All disruption budgets. */
    public Collection<DisruptionBudget> budgets() {
        return Collections.unmodifiableCollection(budgets.values());
    }
}
