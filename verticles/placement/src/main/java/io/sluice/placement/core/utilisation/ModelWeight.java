package io.sluice.placement.core.utilisation;

import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * How much a GPU's memory counts by its model.
 *
 * @param model a regular expression that some part of the model's name matches
 * @param weight more for a faster model
 */
public record ModelWeight(String model, double weight) {
    /** What an element of a list has unless it is set. */
    public static final ModelWeight DEFAULTS = new ModelWeight("", 5);

    /** The first that matches counts. */
    public static final List<ModelWeight> KNOWN = List.of(
            new ModelWeight("K80", 6),
            new ModelWeight("TITAN X", 7),
            new ModelWeight("V100", 10),
            new ModelWeight("A100", 14),
            new ModelWeight("H100|H200", 20));

    private static final double UNKNOWN = 5;

    public ModelWeight {
        Objects.requireNonNull(model, "model");
        try {
            Pattern.compile(model);
        } catch (PatternSyntaxException noPattern) {
            throw new IllegalArgumentException(
                    "model=" + model + " must be a regular expression: " + noPattern.getDescription());
        }
        if (!(weight >= 0)) {
            throw new IllegalArgumentException("weight=" + weight + " must not be negative");
        }
    }

    /** The weight of a model. */
    static double of(String model, List<ModelWeight> weights) {
        return weights.stream()
                .filter(one -> Pattern.compile(one.model).matcher(model).find())
                .mapToDouble(ModelWeight::weight)
                .findFirst()
                .orElse(UNKNOWN);
    }
}
