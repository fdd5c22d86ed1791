package io.sluice.cluster.roles;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Takes long enough to be skipped unless it is asked for. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@EnabledIfSystemProperty(
        named = "cluster.faults",
        matches = "true",
        disabledReason = "takes a minute: mvn -Pcluster plays it, or -Dcluster.faults=true")
@interface OnlyWithFaults {}
