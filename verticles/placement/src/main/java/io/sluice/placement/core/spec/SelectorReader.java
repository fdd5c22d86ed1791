package io.sluice.placement.core.spec;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads selectors of labels, of nodes and of pods. */
final class SelectorReader {
    private SelectorReader() {}

    /** A selector that is absent selects nothing. */
    static LabelSelector labels(JsonNode selector) {
        if (!selector.isObject()) {
            return LabelSelector.NOTHING;
        }
        var requirements = new ArrayList<Requirement>();
        SpecReader.texts(selector.path("matchLabels"))
                .forEach(
                        (key, value) -> requirements.add(new Requirement(key, Requirement.Operator.IN, Set.of(value))));
        requirements.addAll(SpecReader.list(selector.path("matchExpressions"), SelectorReader::requirement));
        return new LabelSelector(false, requirements);
    }

    private static Requirement requirement(JsonNode expression) {
        return new Requirement(
                expression.path("key").asText(),
                switch (expression.path("operator").asText()) {
                    case "In" -> Requirement.Operator.IN;
                    case "NotIn" -> Requirement.Operator.NOT_IN;
                    case "Exists" -> Requirement.Operator.EXISTS;
                    case "DoesNotExist" -> Requirement.Operator.DOES_NOT_EXIST;
                    case "Gt" -> Requirement.Operator.GT;
                    case "Lt" -> Requirement.Operator.LT;
                    default ->
                        throw new IllegalArgumentException("operator "
                                + expression.path("operator").asText() + " of "
                                + expression.path("key").asText()
                                + " is unknown");
                },
                Set.copyOf(SpecReader.list(expression.path("values"), JsonNode::asText)));
    }

    /** The terms of a node selector; empty if it is absent. */
    static Optional<List<NodeAffinity.Term>> nodeTerms(JsonNode selector) {
        return selector.isObject()
                ? Optional.of(SpecReader.list(selector.path("nodeSelectorTerms"), SelectorReader::nodeTerm))
                : Optional.empty();
    }

    static NodeAffinity.Term nodeTerm(JsonNode term) {
        return new NodeAffinity.Term(
                SpecReader.list(term.path("matchExpressions"), SelectorReader::requirement),
                SpecReader.list(term.path("matchFields"), SelectorReader::requirement));
    }

    /** A term that names no namespaces is for the pod's own. */
    static PodTerm podTerm(JsonNode term, String namespace) {
        var namespaces = Set.copyOf(SpecReader.list(term.path("namespaces"), JsonNode::asText));
        var selector = labels(term.path("namespaceSelector"));
        return new PodTerm(
                term.path("topologyKey").asText(),
                labels(term.path("labelSelector")),
                namespaces.isEmpty() && selector.nothing() ? Set.of(namespace) : namespaces,
                selector);
    }
}
