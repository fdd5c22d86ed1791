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
    private static final double UNKNOWN = 5;

    public ModelWeight {
        Objects.requireNonNull(model, "model");
        try {
            Pattern.compile(model);
        } catch (PatternSyntaxException noPattern) {
            throw new IllegalArgumentException(model + " must be a regular expression: " + noPattern.getDescription());
        }
        if (!(weight >= 0)) {
            throw new IllegalArgumentException(weight + " must not be negative");
        }
    }

    /**
     * A weight as it is configured, such as {@code A100=14}.
     *
     * @throws IllegalArgumentException if the text is another one
     */
    public static ModelWeight parse(String text) {
        int split = text.lastIndexOf('=');
        try {
            return new ModelWeight(
                    text.substring(0, Math.max(0, split)), Double.parseDouble(text.substring(split + 1)));
        } catch (NumberFormatException none) {
            throw new IllegalArgumentException("must be a model and its weight, such as A100=14, not " + text);
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
