package io.sluice.kube.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Comparator;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A right: a verb on objects of one kind.
 *
 * @param group API group of the kind; empty for the core group
 * @param resource plural name, with the subresource if there is one
 * @param verb verb of Kubernetes
 */
public record Right(String group, String resource, String verb) implements Comparable<Right> {
    private static final Comparator<Right> ORDER =
            Comparator.comparing(Right::group).thenComparing(Right::resource).thenComparing(Right::verb);

    /** The rights that the roles among these objects grant. */
    public static SortedSet<Right> granted(Stream<JsonNode> objects) {
        var granted = new TreeSet<Right>();
        objects.filter(object -> object.path("kind").asText().endsWith("Role"))
                .flatMap(role -> each(role.path("rules")))
                .forEach(rule -> each(rule.path("apiGroups"))
                        .forEach(group -> each(rule.path("resources"))
                                .forEach(resource -> each(rule.path("verbs"))
                                        .forEach(verb -> granted.add(
                                                new Right(group.asText(), resource.asText(), verb.asText()))))));
        return granted;
    }

    private static Stream<JsonNode> each(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    @Override
    public int compareTo(Right other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return verb + " " + resource + (group.isEmpty() ? "" : "." + group);
    }
}
