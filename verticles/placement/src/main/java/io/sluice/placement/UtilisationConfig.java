package io.sluice.placement;

import io.sluice.placement.core.utilisation.ModelWeight;
import io.sluice.placement.core.utilisation.UtilisationRules;
import io.sluice.placement.prometheus.PrometheusConfig;
import io.sluice.shell.load.LoadScore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * The section {@code placement.utilisation}: whether nodes are scored by three parts, their size, what is in use on
 * them and what will be in use at peaks, and which nodes are too busy for any pod. {@code placement.policy} says
 * whether busy or idle nodes come first.
 *
 * @param enabled whether nodes are scored by what was measured on them, in place of the score of
 *     {@code placement.policy}
 * @param weights of the three parts
 * @param target the share up to which the policy {@code pack} fills nodes, in percent
 * @param period how often nodes are measured; after three periods without a new value a node has only the score of its
 *     size
 * @param rejectStale whether a node takes no pod of which nothing was measured for three minutes
 * @param thresholds percent of a node above which it takes no pod; 0 for none
 * @param models weights of GPUs: a regular expression that the model's name contains, {@code =}, and the weight; the
 *     first that matches counts
 * @param compat whether the formula of Alnair's UtilSched counts instead, for comparisons
 * @param waitingMax percent of the time in which tasks of a node wait for CPU or memory, as its pressure stall
 *     information shows it, from which what is in use gives it no score; 0 if it does not count
 * @param prometheus from where what is in use is read
 */
public record UtilisationConfig(
        boolean enabled,
        UtilisationRules.Weights weights,
        int target,
        Duration period,
        boolean rejectStale,
        UtilisationRules.Thresholds thresholds,
        List<String> models,
        boolean compat,
        int waitingMax,
        PrometheusConfig prometheus) {
    private static final double ALL = 100;

    /** Off. */
    public static final UtilisationConfig DEFAULTS = new UtilisationConfig(
            false,
            new UtilisationRules.Weights(5, 10, 3),
            70,
            Duration.ofSeconds(30),
            false,
            UtilisationRules.Thresholds.NONE,
            List.of("K80=6", "TITAN X=7", "V100=10", "A100=14", "H100|H200=20"),
            false,
            50,
            PrometheusConfig.DEFAULTS);

    public UtilisationConfig {
        Objects.requireNonNull(weights, "weights");
        Objects.requireNonNull(thresholds, "thresholds");
        models = List.copyOf(models);
        for (var model : models) {
            try {
                ModelWeight.parse(model);
            } catch (IllegalArgumentException invalid) {
                throw new IllegalArgumentException("placement.utilisation.models: " + invalid.getMessage(), invalid);
            }
        }
        Objects.requireNonNull(prometheus, "prometheus");
        if (target < 1 || target >= ALL) {
            throw new IllegalArgumentException("placement.utilisation.target=" + target + " must be between 1 and 99");
        }
        if (waitingMax < 0 || waitingMax > ALL) {
            throw new IllegalArgumentException(
                    "placement.utilisation.waitingMax=" + waitingMax + " must be between 0 and 100");
        }
        if (period.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("placement.utilisation.period must be at least 1s");
        }
    }

    /** @param mode of the policy */
    UtilisationRules rules(LoadScore mode) {
        var score = mode instanceof LoadScore.Pack ? new LoadScore.Pack(target / ALL) : mode;
        return new UtilisationRules(
                weights,
                score,
                period,
                rejectStale,
                thresholds,
                models.stream().map(ModelWeight::parse).toList(),
                compat,
                waitingMax);
    }
}
