"""What poker games share: cards, hand strength, equity, buckets, public trees and the blueprints learned on them."""
