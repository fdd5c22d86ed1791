package io.sluice.lab.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The objects of a list or a watch: a namespace, fields and labels, by equality. */
final class Selector implements Predicate<JsonNode> {
    private final String namespace;
    private final List<Term> terms = new ArrayList<>();

    private record Term(String pointer, boolean equal, String value) {
        boolean holds(JsonNode object) {
            return equal == object.at(pointer).asText("").equals(value);
        }
    }

    /** @throws IllegalArgumentException if a selector has an unsupported form */
    Selector(String namespace, String fields, String labels) {
        this.namespace = namespace;
        add(fields, key -> "/" + key.replace('.', '/'));
        add(labels, key -> "/metadata/labels/" + key.replace("~", "~0").replace("/", "~1"));
    }

    @Override
    public boolean test(JsonNode object) {
        return (namespace.isEmpty()
                        || namespace.equals(
                                object.path("metadata").path("namespace").asText()))
                && terms.stream().allMatch(term -> term.holds(object));
    }

    private void add(String selector, UnaryOperator<String> pointer) {
        if (selector == null || selector.isEmpty()) {
            return;
        }
        for (var part : selector.split(",")) {
            int equals = part.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("only key=value and key!=value are supported, not " + part);
            }
            boolean equal = part.charAt(equals - 1) != '!';
            var key = part.substring(0, equal ? equals : equals - 1);
            var value = part.substring(part.startsWith("==", equals) ? equals + 2 : equals + 1);
            terms.add(new Term(pointer.apply(key.strip()), equal, value.strip()));
        }
    }
}
