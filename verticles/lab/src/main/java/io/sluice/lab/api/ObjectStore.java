package io.sluice.lab.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.lab.api.Patches.DoesNotFitException;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * The objects, with one version that grows by one with each write to any of them. Safe from any thread. Stored objects
 * are never changed afterwards, so they are returned without a copy.
 */
final class ObjectStore {
    /** The part of an object that a write changes; all else keeps its value whatever is sent. */
    enum Part {
        MAIN,
        STATUS,
        /** Requests and limits of a pod. */
        RESIZE
    }

    /** Computes the new object from the present one. */
    interface Change {
        JsonNode apply(ObjectNode current) throws DoesNotFitException;
    }

    private static final String METADATA = "metadata";
    private static final String VERSION = "resourceVersion";
    private static final String STATUS = "status";
    private static final String DELETION = "deletionTimestamp";
    private static final String FINALIZERS = "finalizers";
    private static final int EVENTS_MAX = 1000;
    private static final Answer TWO_CONTROLLERS = Answer.invalid(
            "metadata.ownerReferences: Invalid value: only one reference can have controller set to true");

    private final InstantSource clock;
    private final VersionHistory history;
    private final Pages pages = new Pages();
    private final Map<ResourceType, TreeMap<String, ObjectNode>> objects = new TreeMap<>();
    private BiConsumer<ObjectNode, Boolean> sizes = (object, gone) -> {};
    private long version;

    /** @param historyMax a watch can begin at most this many writes ago */
    ObjectStore(InstantSource clock, long firstVersion, int historyMax) {
        this.clock = clock;
        this.version = firstVersion;
        this.history = new VersionHistory(firstVersion, historyMax);
        for (var type : ResourceType.values()) {
            objects.put(type, new TreeMap<>());
        }
    }

    synchronized Answer get(ResourceType type, String namespace, String name) {
        var found = objects.get(type).get(key(namespace, name));
        return found == null ? Answer.notFound(type, name) : Answer.of(found);
    }

    synchronized Answer list(ResourceType type, Selector selector, Pages.Page page) {
        if (!page.next().isEmpty()) {
            return pages.next(type, page);
        }
        var found = objects.get(type).values().stream().filter(selector).toList();
        return pages.first(type, version, found, page);
    }

    synchronized Answer create(ResourceType type, String namespace, ObjectNode sent) {
        var name = name(sent.path(METADATA));
        if (name.isEmpty()) {
            return Answer.invalid("metadata.name: Required value: name or generateName is required");
        }
        if (type == ResourceType.EVENT
                && !namespace.equals(sent.at("/involvedObject/namespace").asText())) {
            return Answer.invalid("involvedObject.namespace: Invalid value: does not match event.namespace");
        }
        if (objects.get(type).containsKey(key(namespace, name))) {
            return Answer.alreadyExists(type, name);
        }
        if (hasTwoControllers(sent)) {
            return TWO_CONTROLLERS;
        }
        var object = sent.deepCopy();
        object.put("kind", type.kind).put("apiVersion", type.apiVersion());
        var metadata = object.withObject(METADATA);
        if (type.namespaced) {
            metadata.put("namespace", namespace);
        }
        metadata.remove(DELETION);
        metadata.put("name", name)
                .put("uid", UUID.randomUUID().toString())
                .put("generation", 1)
                .put("creationTimestamp", now());
        switch (type.status) {
            case KEPT -> {}
            case DROPPED, NONE -> object.remove(STATUS);
            case PENDING ->
                object.putObject(STATUS).put("phase", "Pending").put("qosClass", QosClass.of(object.path("spec")));
        }
        var written = write(type, Optional.empty(), object, Part.MAIN);
        forgetEvents();
        return Answer.created(written);
    }

    /**
     * Sets the node of a pod, once.
     *
     * @param preconditions the uid and version, if named, that the pod must have
     */
    synchronized Answer bind(String namespace, String name, String node, JsonNode metadata) {
        var current = objects.get(ResourceType.POD).get(key(namespace, name));
        if (current == null) {
            return Answer.notFound(ResourceType.POD, name);
        }
        if (node.isEmpty()) {
            return Answer.invalid("target.name: Required value");
        }
        var refusal = refusal(ResourceType.POD, name, current, metadata);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        var bound = current.at("/spec/nodeName").asText("");
        if (!bound.isEmpty()) {
            return Answer.conflict(
                    ResourceType.POD, name, "pod " + name + " is already assigned to node \"" + bound + "\"");
        }
        if (current.path(METADATA).has(DELETION)) {
            return Answer.conflict(
                    ResourceType.POD, name, "pod " + name + " is being deleted, cannot be assigned to a host");
        }
        var next = current.deepCopy();
        next.withObject("spec").put("nodeName", node);
        var annotations = next.withObject(METADATA).withObject("annotations");
        metadata.path("annotations").properties().forEach(one -> annotations.set(one.getKey(), one.getValue()));
        write(ResourceType.POD, Optional.of(current), next, Part.MAIN);
        return Answer.success(201);
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

    private static Optional<Answer> refusal(ResourceType type, String name, JsonNode current, JsonNode preconditions) {
        return Stream.of("uid", VERSION)
                .filter(field -> !preconditions.path(field).asText("").isEmpty())
                .filter(field ->
                        !preconditions.path(field).equals(current.path(METADATA).path(field)))
                .map(field ->
                        Answer.conflict(type, name, "the " + field + " in the precondition is not that of the object"))
                .findFirst();
    }

    /** @param preconditions the uid and version, if named, that the object must have to be deleted */
    synchronized Answer delete(ResourceType type, String namespace, String name, JsonNode preconditions) {
        var current = objects.get(type).get(key(namespace, name));
        if (current == null) {
            return Answer.notFound(type, name);
        }
        var refusal = refusal(type, name, current, preconditions);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        var metadata = current.path(METADATA);
        if (metadata.path(FINALIZERS).isEmpty()) {
            remove(type, current);
            return Answer.success(200);
        }
        if (metadata.has(DELETION)) {
            return Answer.of(current);
        }
        var marked = current.deepCopy();
        marked.withObject(METADATA).put(DELETION, now()).put("deletionGracePeriodSeconds", 0);
        return Answer.of(write(type, Optional.of(current), marked, Part.MAIN));
    }

    /**
     * Begins a watch; false if its begin is not stored any more. Watches receive events in order and must not block.
     */
    synchronized boolean watch(Watch watch, long from) {
        if (from > 0) {
            return history.replay(watch, from);
        }
        objects.get(watch.type()).values().stream().filter(watch.selector()).forEach(watch::present);
        history.follow(watch);
        return true;
    }

    /** Sends a watch its present version, in order with its events. */
    synchronized void bookmark(Watch watch) {
        watch.bookmark(version);
    }

    synchronized void unwatch(Watch watch) {
        history.unfollow(watch);
    }

    /** @param reported called for each write of a VM or pod, with whether it is gone; must not block */
    synchronized void publishSizes(BiConsumer<ObjectNode, Boolean> reported) {
        sizes = reported;
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
            return Answer.immutable("metadata.uid");
        }
        if (!sent.path("name").equals(known.path("name"))
                || !sent.path("namespace").equals(known.path("namespace"))) {
            return Answer.badRequest("the name of the object does not match the name on the URL");
        }
        var next = switch (part) {
            case MAIN -> withMain(current, wanted);
            case STATUS -> withStatus(type, current, wanted);
            case RESIZE -> withMain(current, PodResources.resized(current, wanted));
        };
        if (next.equals(current)) {
            return Answer.of(current);
        }
        var refusal = type == ResourceType.POD ? PodResources.refusal(current, next, part) : Optional.<String>empty();
        if (refusal.isPresent()) {
            return Answer.invalid(refusal.get());
        }
        if (part == Part.RESIZE) {
            var node = next.at("/spec/nodeName").asText("");
            var beyond = node.isEmpty()
                    ? Optional.<String>empty()
                    : PodResources.beyond(node, objects.get(ResourceType.NODE).get(key("", node)), next);
            if (beyond.isPresent()) {
                return Answer.forbidden(type, name, beyond.get());
            }
        }
        if (hasTwoControllers(next)) {
            return TWO_CONTROLLERS;
        }
        var finalizers = next.path(METADATA).path(FINALIZERS);
        if (known.has(DELETION) && addsTo(known.path(FINALIZERS), finalizers)) {
            return Answer.invalid("metadata.finalizers: Forbidden: none can be added while the object is deleted");
        }
        boolean lastFinalizerGone = known.has(DELETION) && finalizers.isEmpty();
        return Answer.of(lastFinalizerGone ? remove(type, current) : write(type, Optional.of(current), next, part));
    }

    private static boolean hasTwoControllers(JsonNode object) {
        return object.path(METADATA)
                        .path("ownerReferences")
                        .valueStream()
                        .filter(owner -> owner.path("controller").asBoolean())
                        .count()
                > 1;
    }

    private static boolean addsTo(JsonNode known, JsonNode finalizers) {
        var before = new HashSet<JsonNode>();
        known.forEach(before::add);
        return !before.containsAll(finalizers.valueStream().toList());
    }

    /** Of the core group, an update of the status may change labels and annotations too. */
    private static ObjectNode withStatus(ResourceType type, ObjectNode current, ObjectNode wanted) {
        var next = current.deepCopy();
        keep(next, STATUS, wanted.path(STATUS));
        if (type.group.isEmpty()) {
            for (var field : new String[] {"labels", "annotations"}) {
                keep(next.withObject(METADATA), field, wanted.path(METADATA).path(field));
            }
        }
        return next;
    }

    private static ObjectNode withMain(ObjectNode current, ObjectNode wanted) {
        var next = wanted.deepCopy();
        keep(next, STATUS, current.path(STATUS));
        var metadata = next.withObject(METADATA);
        for (var field : new String[] {
            "uid", "creationTimestamp", DELETION, "deletionGracePeriodSeconds", "generation", VERSION, Writers.FIELD
        }) {
            keep(metadata, field, current.path(METADATA).path(field));
        }
        if (!next.path("spec").equals(current.path("spec"))) {
            // As a patch's number is read, so that a patch can test it.
            metadata.put("generation", metadata.path("generation").asInt() + 1);
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

    private ObjectNode write(ResourceType type, Optional<ObjectNode> before, ObjectNode object, Part part) {
        Writers.record(object.withObject(METADATA).put(VERSION, Long.toString(++version)), part, now());
        objects.get(type).put(key(object), object);
        if (type.hasSize()) {
            sizes.accept(object, false);
        }
        history.add(new VersionHistory.Write(type, version, before, object, false));
        return object;
    }

    private ObjectNode remove(ResourceType type, ObjectNode object) {
        objects.get(type).remove(key(object));
        var last = object.deepCopy();
        last.withObject(METADATA).put(VERSION, Long.toString(++version));
        if (type.hasSize()) {
            sizes.accept(last, true);
        }
        history.add(new VersionHistory.Write(type, version, Optional.of(object), last, true));
        return last;
    }

    /** A real server deletes Events after a while; here the oldest ones are deleted. */
    private void forgetEvents() {
        var events = objects.get(ResourceType.EVENT);
        if (events.size() > EVENTS_MAX) {
            events.values().stream()
                    .min(Comparator.comparingLong(
                            event -> event.path(METADATA).path(VERSION).asLong()))
                    .ifPresent(oldest -> remove(ResourceType.EVENT, oldest));
        }
    }

    private static String name(JsonNode metadata) {
        var name = metadata.path("name").asText("");
        var prefix = metadata.path("generateName").asText("");
        return !name.isEmpty() || prefix.isEmpty()
                ? name
                : prefix + UUID.randomUUID().toString().substring(0, 8);
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
