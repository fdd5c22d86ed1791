package io.sluice.placement.core.gangs;

import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** All gangs, and which of them is tried next. A gang that cannot be tried costs nothing until something changes. */
public final class Gangs {
    private final GangOptions options;
    private final Map<GangKey, GangRecord> records = new TreeMap<>();
    private final Map<String, GangKey> byMember = new HashMap<>();
    private final Map<String, String> refusals = new HashMap<>();
    private final TreeMap<QueueTurn, GangRecord> ready = new TreeMap<>();
    private final Map<GangKey, QueueTurn> turns = new HashMap<>();
    private final LinkedHashMap<GangKey, GangRecord> delayed = new LinkedHashMap<>();
    private final TreeSet<GangKey> changed = new TreeSet<>();

    public Gangs(GangOptions options) {
        this.options = options;
    }

    /** With the defaults. */
    public Gangs() {
        this(GangOptions.DEFAULTS);
    }

    /** How they are placed. */
    public GangOptions options() {
        return options;
    }

    /** Applies a gang's object. */
    public void observed(GangSpec spec) {
        var record = record(spec.key());
        record.observed(Optional.of(spec));
        changed(record);
    }

    /** Applies the end of a gang's object. */
    public void specGone(GangKey key) {
        find(key).ifPresent(record -> {
            record.observed(Optional.empty());
            changed(record);
        });
    }

    /** Applies a member. */
    public void observed(GangMember member) {
        var before = byMember.get(member.uid());
        if (before != null && !before.equals(member.gang())) {
            memberGone(member.uid());
        }
        byMember.put(member.uid(), member.gang());
        var record = record(member.gang());
        record.observed(member);
        changed(record);
    }

    /** Applies that a pod may not be in the gangs that it names. */
    public void refused(String uid, String reason) {
        memberGone(uid);
        refusals.put(uid, reason);
    }

    /** Applies the end of a member. */
    public void memberGone(String uid) {
        refusals.remove(uid);
        var key = byMember.remove(uid);
        if (key != null) {
            var record = records.get(key);
            record.gone(uid);
            if (key.kind() == GangKey.Kind.ANNOTATIONS && record.members().isEmpty()) {
                record.observed(Optional.empty());
            }
            changed(record);
        }
    }

    /** The gang of a pod; empty if it has none. */
    public Optional<GangRecord> of(String uid) {
        return Optional.ofNullable(byMember.get(uid)).map(records::get);
    }

    /** The gang with which a pod has to start; empty if it is placed alone. */
    public Optional<GangRecord> binding(String uid) {
        return of(uid).filter(record -> !record.isSingle(uid));
    }

    /** Why a pod may not be in the gangs that it names; empty where it may. */
    public Optional<String> refusal(String uid) {
        return Optional.ofNullable(refusals.get(uid));
    }

    public Optional<GangRecord> find(GangKey key) {
        return Optional.ofNullable(records.get(key));
    }

    /** All gangs, by name. */
    public Collection<GangRecord> all() {
        return Collections.unmodifiableCollection(records.values());
    }

    /** The gangs that start together with one; it alone where it names no others. */
    public List<GangKey> group(GangRecord record) {
        var groups = record.spec().map(GangSpec::groups).orElse(List.of());
        return groups.size() < 2
                ? List.of(record.key())
                : groups.stream()
                        .map(label -> keyOf(record.key(), label))
                        .sorted()
                        .distinct()
                        .toList();
    }

    private static GangKey keyOf(GangKey like, String label) {
        int slash = label.indexOf('/');
        return slash < 0
                ? new GangKey(like.kind(), like.namespace(), label)
                : new GangKey(like.kind(), label.substring(0, slash), label.substring(slash + 1));
    }

    /** The gangs that changed and were not taken yet, by name. */
    public List<GangRecord> changed() {
        return changed.stream().flatMap(key -> find(key).stream()).toList();
    }

    /** The gangs that changed since the last call, by name. */
    public List<GangRecord> takeChanged() {
        var taken = changed.stream().flatMap(key -> find(key).stream()).toList();
        changed.clear();
        return taken;
    }

    /** Records that a gang changed. */
    void changed(GangRecord record) {
        var key = record.key();
        changed.add(key);
        Optional.ofNullable(turns.remove(key)).ifPresent(ready::remove);
        delayed.remove(key);
        if (record.isUnused()) {
            records.remove(key);
        } else if (record.isDue(Instant.MAX)) {
            if (record.backoffUntil().isPresent()) {
                delayed.put(key, record);
            } else {
                ready(record);
            }
        }
    }

    private void ready(GangRecord record) {
        turns.put(record.key(), record.turn());
        ready.put(record.turn(), record);
    }

    /** The gang that is to be tried next, of those that are not excluded. */
    public Optional<GangRecord> first(Instant now, Predicate<GangRecord> excluded) {
        var over = delayed.values().stream().filter(record -> record.isDue(now)).toList();
        over.forEach(record -> {
            delayed.remove(record.key());
            ready(record);
        });
        return ready.values().stream().filter(record -> !excluded.test(record)).findFirst();
    }

    private GangRecord record(GangKey key) {
        return records.computeIfAbsent(key, added -> new GangRecord(added, options.backoff()));
    }
}
