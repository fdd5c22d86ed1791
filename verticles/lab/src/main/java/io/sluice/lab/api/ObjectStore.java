package io.sluice.lab.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.lab.api.Patches.DoesNotFitException;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The objects, with one version that grows by one with each write to any of them. Safe from any thread. What is stored
 * is never changed afterwards, so it is handed out as it is.
 */
final class ObjectStore {
    /** Which part of an object a write changes; the other one keeps its value whatever is sent. */
    enum Part {
        MAIN,
        STATUS
    }

    /** Turns the object as it is into what is wanted. */
    interface Change {
        JsonNode apply(ObjectNode current) throws DoesNotFitException;
    }

    private static final String METADATA = "metadata";
    private static final String VERSION = "resourceVersion";
    private static final String STATUS = "status";
    private static final String DELETION = "deletionTimestamp";

    private final InstantSource clock;
    private final History history;
    private final Map<ResourceType, TreeMap<String, ObjectNode>> objects = new TreeMap<>();
    private long version;

    /** @param historyMax a watch can begin no further back than this many writes */
    ObjectStore(InstantSource clock, long firstVersion, int historyMax) {
        this.clock = clock;
        this.version = firstVersion;
        this.history = new History(firstVersion, historyMax);
        for (var type : ResourceType.values()) {
            objects.put(type, new TreeMap<>());
        }
    }

    synchronized Answer get(ResourceType type, String namespace, String name) {
        var found = objects.get(type).get(key(namespace, name));
        return found == null ? Answer.notFound(type, name) : Answer.of(found);
    }

    synchronized Answer list(ResourceType type, Selector selector) {
        var list = JsonNodeFactory.instance.objectNode();
        list.put("kind", type.kind + "List").put("apiVersion", type.apiVersion());
        list.putObject(METADATA).put(VERSION, Long.toString(version));
        var items = list.putArray("items");
        objects.get(type).values().stream().filter(selector).forEach(items::add);
        return Answer.of(list);
    }

    synchronized Answer create(ResourceType type, String namespace, ObjectNode sent) {
        var name = sent.path(METADATA).path("name").asText("");
        if (name.isEmpty()) {
            return Answer.invalid("metadata.name: Required value");
        }
        if (objects.get(type).containsKey(key(namespace, name))) {
            return Answer.alreadyExists(type, name);
        }
        var object = sent.deepCopy();
        object.put("kind", type.kind).put("apiVersion", type.apiVersion());
        var metadata = object.withObject(METADATA);
        if (type.namespaced) {
            metadata.put("namespace", namespace);
        }
        metadata.put("uid", UUID.randomUUID().toString()).put("generation", 1).put("creationTimestamp", now());
        switch (type.status) {
            case KEPT -> {}
            case DROPPED -> object.remove(STATUS);
            case PENDING -> object.putObject(STATUS).put("phase", "Pending");
        }
        return Answer.created(write(type, Optional.empty(), object));
    }

    synchronized Answer update(ResourceType type, String namespace, String name, Part part, Change change) {
        var current = objects.get(type).get(key(namespace, name));
        if (current == null) {
            return Answer.notFound(type, name);
        }
        try {
            return changed(type, name, part, current, change.apply(current.deepCopy()));
        } catch (DoesNotFitException doesNotFit) {
            return Answer.invalid(doesNotFit.getMessage());
        }
    }

    /** @param uid if it is not empty, only the object with this uid is deleted */
    synchronized Answer delete(ResourceType type, String namespace, String name, String uid) {
        var current = objects.get(type).get(key(namespace, name));
        if (current == null) {
            return Answer.notFound(type, name);
        }
        var metadata = current.path(METADATA);
        if (!uid.isEmpty() && !uid.equals(metadata.path("uid").asText())) {
            return Answer.conflict(type, name, "the UID in the precondition is not the UID of the object");
        }
        if (metadata.path("finalizers").isEmpty()) {
            remove(type, current);
        } else if (!metadata.has(DELETION)) {
            var marked = current.deepCopy();
            marked.withObject(METADATA).put(DELETION, now());
            write(type, Optional.of(current), marked);
        }
        return Answer.deleted();
    }

    /** Begins a watch; false where its beginning has been forgotten. Watches hear in order and must not block. */
    synchronized boolean watch(Watch watch, long from) {
        if (from > 0) {
            return history.replay(watch, from);
        }
        objects.get(watch.type()).values().stream().filter(watch.selector()).forEach(watch::present);
        history.follow(watch);
        return true;
    }

    synchronized void unwatch(Watch watch) {
        history.unfollow(watch);
    }

    long oldest() {
        return history.oldest();
    }

    private Answer changed(ResourceType type, String name, Part part, ObjectNode current, JsonNode proposed) {
        if (!(proposed instanceof ObjectNode wanted)) {
            return Answer.badRequest("an object is expected");
        }
        var sent = wanted.path(METADATA);
        var known = current.path(METADATA);
        var replaces = sent.path(VERSION).asText("");
        if (replaces.isEmpty() && type.updateNeedsVersion()) {
            return Answer.invalid("metadata.resourceVersion: must be specified for an update");
        }
        if (!replaces.isEmpty() && !replaces.equals(known.path(VERSION).asText())) {
            return Answer.conflict(
                    type, name, "the object has been modified; please apply your changes to the latest version");
        }
        if (sent.hasNonNull("uid") && !sent.path("uid").equals(known.path("uid"))) {
            return Answer.conflict(type, name, "the UID in the precondition is not the UID of the object");
        }
        if (!sent.path("name").equals(known.path("name"))
                || !sent.path("namespace").equals(known.path("namespace"))) {
            return Answer.badRequest("the name of the object does not match the name on the URL");
        }
        var next = part == Part.STATUS ? withStatus(current, wanted) : withMain(current, wanted);
        if (next.equals(current)) {
            return Answer.of(current);
        }
        boolean lastFinalizerGone =
                known.has(DELETION) && next.path(METADATA).path("finalizers").isEmpty();
        return Answer.of(lastFinalizerGone ? remove(type, current) : write(type, Optional.of(current), next));
    }

    private static ObjectNode withStatus(ObjectNode current, ObjectNode wanted) {
        var next = current.deepCopy();
        keep(next, STATUS, wanted.path(STATUS));
        return next;
    }

    private static ObjectNode withMain(ObjectNode current, ObjectNode wanted) {
        var next = wanted.deepCopy();
        keep(next, STATUS, current.path(STATUS));
        var metadata = next.withObject(METADATA);
        for (var field : new String[] {"uid", "creationTimestamp", DELETION, "generation", VERSION}) {
            keep(metadata, field, current.path(METADATA).path(field));
        }
        if (!next.path("spec").equals(current.path("spec"))) {
            metadata.put("generation", metadata.path("generation").asLong() + 1);
        }
        return next;
    }

    private static void keep(ObjectNode object, String field, JsonNode value) {
        if (value.isMissingNode() || value instanceof NullNode) {
            object.remove(field);
        } else {
            object.set(field, value);
        }
    }

    private ObjectNode write(ResourceType type, Optional<ObjectNode> before, ObjectNode object) {
        object.withObject(METADATA).put(VERSION, Long.toString(++version));
        objects.get(type).put(key(object), object);
        history.add(new History.Write(type, version, before, object, false));
        return object;
    }

    private ObjectNode remove(ResourceType type, ObjectNode object) {
        objects.get(type).remove(key(object));
        var last = object.deepCopy();
        last.withObject(METADATA).put(VERSION, Long.toString(++version));
        history.add(new History.Write(type, version, Optional.of(object), last, true));
        return last;
    }

    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String key(ObjectNode object) {
        var metadata = object.path(METADATA);
        return key(metadata.path("namespace").asText(""), metadata.path("name").asText());
    }

    private static String key(String namespace, String name) {
        return namespace + "/" + name;
    }
}
