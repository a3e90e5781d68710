"""The parts shared by poker games: cards, hand strength, equity, buckets, public trees and blueprints."""
