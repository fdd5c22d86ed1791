package io.sluice.neonvm.core.observed;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The newest known objects of one kind, from full lists and changes that may arrive out of order. A deleted object
 * stays deleted until a full list arrived that is newer than the deletion.
 */
final class ObjectIndex<T> {
    private final Function<T, String> key;
    private final ToLongFunction<T> version;
    private final Map<String, T> objects = new HashMap<>();
    private final Map<String, Long> deletions = new HashMap<>();
    private long listed;

    ObjectIndex(Function<T, String> key, ToLongFunction<T> version) {
        this.key = key;
        this.version = version;
    }

    Optional<T> get(String id) {
        return Optional.ofNullable(objects.get(id));
    }

    Collection<T> all() {
        return objects.values();
    }

    /** Takes a change; false if it is not newer than what is known. */
    boolean changed(T object) {
        var id = key.apply(object);
        long found = version.applyAsLong(object);
        var known = objects.get(id);
        // A full list as new as this change would contain the object. It does not, so the object was deleted in
        // between.
        boolean stale = known == null
                ? found <= Math.max(listed, deletions.getOrDefault(id, 0L))
                : found <= version.applyAsLong(known);
        if (stale) {
            return false;
        }
        objects.put(id, object);
        return true;
    }

    /** Replaces what is known of an object at the same version. */
    void replace(T object) {
        objects.put(key.apply(object), object);
    }

    /** Takes a deletion; empty if the object was not known or is newer. */
    Optional<T> deleted(String id, long deletion) {
        deletions.merge(id, deletion, Math::max);
        var known = objects.get(id);
        if (known == null || version.applyAsLong(known) > deletion) {
            return Optional.empty();
        }
        return Optional.ofNullable(objects.remove(id));
    }

    /** Takes a full list and returns the objects that it shows to be gone. */
    List<T> listed(FullList.Part<T> part) {
        var held = new HashSet<String>();
        for (var object : part.items()) {
            var id = key.apply(object);
            held.add(id);
            var known = objects.get(id);
            boolean deletedSince = deletions.getOrDefault(id, -1L) >= version.applyAsLong(object);
            if (!deletedSince && (known == null || version.applyAsLong(known) <= version.applyAsLong(object))) {
                objects.put(id, object);
            }
        }
        var gone = new ArrayList<T>();
        for (var known : objects.values()) {
            if (!held.contains(key.apply(known)) && version.applyAsLong(known) <= part.version()) {
                gone.add(known);
            }
        }
        gone.forEach(object -> objects.remove(key.apply(object)));
        deletions.values().removeIf(deletion -> deletion <= part.version());
        listed = Math.max(listed, part.version());
        return gone;
    }
}
